"""Walk-throughs against the rules: what a step wants is legal, what it says is refused is refused, and nothing is left
out of what a family's moves can do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from kletka import words
from kletka.drawing import drawing_of
from kletka.drawing.scene import House
from kletka.games import Family, State, families
from kletka.games.registry import plugins
from kletka.lessons import Step, lesson
from kletka.words.catalogue import catalogue

TAUGHT = [family for family in families().values() if lesson(family.name)]
STEPS = [(family.name, step) for family in TAUGHT for step in lesson(family.name)]

each_lesson = pytest.mark.parametrize("family", TAUGHT, ids=lambda family: family.name)
each_step = pytest.mark.parametrize(("name", "step"), STEPS, ids=[f"{name}-{step.id}" for name, step in STEPS])

PLACE = re.compile(r"\b(?:[0-9]?[a-i][0-9](?:-[a-i][0-9])?|[0-9]+[A-H]?|[B-HJ-R])\b(?!’)")


def test_every_family_of_the_house_has_a_walk_through() -> None:
    assert [family.name for family in TAUGHT][:5] == ["tictactoe", "ultimate", "dots", "orapa", "crystals"]
    assert lesson("nothing") == ()


def test_a_family_of_another_package_brings_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in plugins().items():
        assert lesson(name) == ()
        monkeypatch.setattr(module, "LESSON", [Step("first", name)], raising=False)
        assert lesson(name) == (Step("first", name),)
    assert plugins()


@each_lesson
def test_a_walk_through_is_long_enough_tries_what_is_refused_and_comes_to_the_end(family: Family) -> None:
    steps = lesson(family.name)
    assert len(steps) >= 6
    assert len({step.id for step in steps}) == len(steps)
    assert any(step.refused for step in steps)
    assert steps[-1].before().play(steps[-1].move).outcome is not None


@each_step
def test_what_a_step_wants_can_be_done(name: str, step: Step) -> None:
    state = step.before()
    assert state.game.spec == step.spec
    assert state.to_move is not None
    if step.lays:
        return drafted(state, step)
    reasons = state.refuses(step.move)
    if step.refused:
        assert [reason.code for reason in reasons] == [step.refused]
        assert not step.also
    else:
        assert reasons == ()
        assert step.fits(step.move)
        assert not step.also or sum(map(step.fits, state.moves())) > 1 or step.fits(state.game.parse(step.also))


def drafted(state: State, step: Step) -> None:
    """The pieces that a step wants complete what its draft begins."""
    drawing, seat = drawing_of(state.game), state.to_move
    view = state.seen_by(seat)
    begun = drawing.draft(view, seat, step.draft, House(), "")
    done = drawing.draft(view, seat, f"{step.draft}+{step.lays}", House(), "")
    assert begun.sends is None
    assert done.reasons == ()
    assert done.sends is not None
    assert state.refuses(done.sends) == ()


@each_step
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_step_has_words_that_name_places_of_its_board(name: str, step: Step, language: str) -> None:
    scene = drawing_of(step.before().game).scene(step.before().game)
    places = {place.id for panel in scene.panels for place in panel.places}
    blocks = {block.id for panel in scene.panels for block in panel.blocks}
    ends = {end for place in places for end in place.split("-")}
    cells = {place[-2:] for place in places} if blocks else set()
    layers = {str(number + 1) for number in range(len(scene.panels))} if scene.stack else set()
    for word in (f"learn.{name}.{step.id}", f"learn.{name}.{step.id}.done"):
        assert word in words.known(language)
        named, same = (set(PLACE.findall(words.say(one, word).replace("\u2011", "-"))) for one in (language, "en"))
        assert named == same
        # A place may be the line between two dots, a half of a cell, or a cell of a small board.
        assert named <= places | blocks | layers | ends | cells | {place.split(":")[0] for place in places}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_buttons_are_called_by_what_is_written_on_them(language: str) -> None:
    written = {
        str(message.string)
        for message in catalogue(language)
        if str(message.id).startswith(("table.", "button.", "pair."))
    }
    for name, step in STEPS:
        for quoted in re.findall("[“«]\u202f?([^”»]+?)\u202f?[”»]", words.say(language, f"learn.{name}.{step.id}")):
            assert any(one == quoted or re.split(r"\s?:", one)[0] == quoted for one in written), quoted


Kind = Callable[[State, Step], bool]


def closes(state: State, move: str) -> int:
    """How many figures a line closes."""
    return sum(state.play(move).scores) - sum(state.scores)  # type: ignore[arg-type]


def lines(cells: str) -> Iterator[str]:
    """The eight lines of a board of three by three, as they are filled."""
    yield from (cells[k : k + 3] for k in (0, 3, 6))
    yield from (cells[k::3] for k in range(3))
    yield from (cells[::4], cells[2:7:2])


def blocks(state: State, step: Step) -> bool:
    """Whether the other would have completed a line with the cell that is taken."""
    cells = state.position.replace("/", "")
    if step.spec != "tictactoe" or len(step.move) != 2:
        return False
    at = "321".index(step.move[1]) * 3 + "abc".index(step.move[0])
    other = "ox"[state.to_move or 0]
    return other * 3 in lines(cells[:at] + other + cells[at + 1 :])


def ends(reason: str) -> Kind:
    def kind(state: State, step: Step) -> bool:
        outcome = state.play(step.move).outcome  # type: ignore[arg-type]
        return outcome is not None and outcome.reason == reason

    return kind


def goes_on(state: State, step: Step) -> bool:
    return state.play(step.move).outcome is None  # type: ignore[arg-type]


def owners(state: State) -> str:
    return state.position.split(" ")[1]


def boards(state: State) -> set[str]:
    return {move[:2] for move in state.moves()}


def gives_away(state: State, step: Step) -> bool:
    """Whether nothing could be closed, and the other can close something afterwards."""
    after = state.play(step.move)  # type: ignore[arg-type]
    return not any(closes(state, move) for move in state.moves()) and any(closes(after, move) for move in after.moves())


KINDS: dict[str, dict[str, Kind]] = {
    "tictactoe": {
        "placing": goes_on,
        "blocking": blocks,
        "winning": ends("line"),
        "drawing": ends("full"),
        "a layer": lambda state, step: step.spec.count("x") == 2 and ends("line")(state, step),
        "another sign": lambda state, step: ":" in step.move and step.spec.endswith("marks=wild"),
        "claiming": lambda state, step: step.move.startswith("claim:"),
    },
    "ultimate": {
        "being sent": lambda state, step: boards(state) == {step.moves[-1][2:]} if step.moves else False,
        "choosing": lambda state, step: bool(step.moves) and len(boards(state)) > 1,
        "winning a small board": lambda state, step: owners(state.play(step.move)) != owners(state),  # type: ignore[arg-type]
        "the end": ends("line"),
    },
    "dots": {
        "a line": lambda state, step: not closes(state, step.move),
        "closing": lambda state, step: (
            closes(state, step.move) == 1 and state.play(step.move).to_move == state.to_move  # type: ignore[arg-type]
        ),
        "drawing again": lambda state, step: bool(step.moves) and closes_last(step),
        "two at once": lambda state, step: closes(state, step.move) == 2,
        "giving away": gives_away,
        "the end": ends("most"),
    },
    "orapa": {
        "a wave": lambda state, step: re.fullmatch("[A-R]|[0-9]+", step.move) is not None,
        "ending a turn": lambda state, step: step.move == "done",
        "a question": lambda state, step: re.fullmatch("[0-9]+[A-H]", step.move) is not None,
        "hiding": lambda state, step: step.move.startswith("hide:"),
        "an answer": lambda state, step: step.move.startswith("answer:"),
        "the end": ends("solved"),
    },
    "crystals": {
        "an atom": lambda state, step: re.fullmatch("[a-z][0-9]+", step.move) is not None,
        "growing": lambda state, step: step.move.startswith("pass+"),
        "both at once": lambda state, step: re.fullmatch(r"[a-z][0-9]+\+.+", step.move) is not None,
        "passing": lambda state, step: step.move == "pass",
        "the end": ends("dead"),
    },
}


def closes_last(step: Step) -> bool:
    """Whether the last move before a step closed something."""
    before = Step(step.id, step.spec, step.moves[:-1], position=step.position).before()
    return closes(before, step.moves[-1]) > 0


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_move_is_taught(name: str) -> None:
    wanted = [(step.before(), step) for step in lesson(name) if step.move and not step.refused]
    for kind, found in KINDS[name].items():
        assert any(found(state, step) for state, step in wanted), kind
    if name == "orapa":
        assert any(step.lays for step in lesson(name))
