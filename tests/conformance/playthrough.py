"""Golden games: everything a state says, move by move.

`python -m tests.conformance.playthrough` writes the files that are missing; to make one anew delete it first, and
say in the commit why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from kletka.games import families, full_spec, game, presets
from tests.conformance.data import folder_of
from tests.conformance.playing import watchers

LONGEST = 60


def moves_of(spec: str, moves: list[str] | None) -> tuple[str | None, list[str]]:
    """The set-up and moves of the golden game: given, or drawn by a generator seeded by the spec."""
    made = game(spec)
    rng = Random(f"playthrough {spec}")
    setup = made.deal(rng)
    if moves is not None:
        return setup, moves
    state = made.start(setup)
    drawn: list[str] = []
    while state.to_move is not None and len(drawn) < LONGEST:
        move = state.sample(rng)
        drawn.append(move)
        state = state.play(move)
    return setup, drawn


def lines(spec: str, setup: str | None, moves: list[str]) -> Iterator[str]:
    """The golden text of a game."""
    made = game(spec)
    yield f"spec {spec}"
    yield f"full {full_spec(made)}"
    yield f"seats {made.seats}"
    yield f"hidden {made.hidden}"
    yield f"actions {None if made.actions is None else len(made.actions)}"
    yield f"setup {setup}"
    state = made.start(setup)
    for ply, text in enumerate([*moves, None]):
        yield ""
        yield f"ply {ply}"
        yield f"position {state.position}"
        yield f"to_move {state.to_move}"
        yield f"scores {state.scores}"
        yield f"outcome {state.outcome and (sorted(state.outcome.winners), state.outcome.reason)}"
        yield f"agreed {sorted(state.agreed().winners)}"
        if made.hidden:
            for seat in watchers(made):
                yield f"seen by {seat}: {state.seen_by(seat).position}"
        for seat in range(made.seats):
            yield f"without {seat}: {state.without(seat).position}"
        listed = state.moves()
        yield f"moves {len(listed)}: {' '.join(listed[:40])}"
        if text is not None:
            move = made.parse(text)
            yield f"move {move}"
            for seat in watchers(made) if made.hidden else ():
                yield f"told {seat}: {state.told(move, seat)}"
            state = state.play(move)


def read_back(file: Path) -> tuple[str, str | None, list[str], str]:
    """Spec, set-up, moves and the whole text of a golden file."""
    text = file.read_text("utf-8")
    fields = [line.partition(" ") for line in text.splitlines()]
    setup = next(rest for key, _, rest in fields if key == "setup")
    moves = [rest for key, _, rest in fields if key == "move"]
    return fields[0][2], None if setup == "None" else setup, moves, text


def main() -> None:
    for family, preset in presets():
        folder = folder_of(families()[family.name]) / "playthroughs"
        file = folder / f"{family.name}-{preset.id}.txt"
        if not file.exists():
            folder.mkdir(exist_ok=True)
            file.write_text("\n".join(lines(preset.spec, *moves_of(preset.spec, None))) + "\n", "utf-8")
            print(f"wrote {file}")


if __name__ == "__main__":
    main()
