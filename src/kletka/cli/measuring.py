"""`kletka perft`, `kletka match` and `kletka bench`: counting and comparing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from kletka.cli.common import AsJson, BadInput, Position, Seed, begin, print_json, progress_bar, say
from kletka.engines import (
    LEVELS,
    Limit,
    NoCluster,
    Player,
    Spread,
    engine,
    level,
    names,
    on_ray,
    play_match,
    signature,
    speeds,
)
from kletka.games import Game
from kletka.games import perft as count


def perft(
    spec: Annotated[str, typer.Argument(help="The game.")],
    depth: Annotated[int, typer.Argument(help="How many moves deep.")],
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of exactly DEPTH moves."""
    if depth < 0:
        raise BadInput(say("cli.depth"))
    made, state = begin(spec, position)
    nodes = 0
    moves = state.moves() if depth > 1 else ()
    with progress_bar("perft", len(moves)) as advance:
        for move in moves:
            nodes += count(state.play(move), depth - 1)
            advance()
    if depth <= 1:
        nodes = count(state, depth)
    if as_json:
        print_json({"spec": made.spec, "depth": depth, "nodes": nodes})
    else:
        print(nodes)


def _player(made: Game, name: str) -> Player:
    """A level (`6`), or an engine by name with its nodes (`uct:1000`)."""
    if name in map(str, LEVELS):
        return level(made, int(name))
    kind, _, nodes = name.partition(":")
    if kind in names() and re.fullmatch("([1-9][0-9]{0,9})?", nodes):
        return Player(engine(kind), Limit(nodes=int(nodes or 1000)))
    raise BadInput(say("cli.bad_player", name=name, names=", ".join(names())))


@contextmanager
def _spread(address: str | None) -> Iterator[Spread]:
    """Where a match is played: here, or by a cluster."""
    if address is None:
        yield map
        return
    try:
        with on_ray(address) as spread:
            yield spread
    except NoCluster as error:
        raise BadInput(say(f"cli.ray.{error.code}", name=address)) from None


def match(
    spec: Annotated[str, typer.Argument(help="The game.")],
    first: Annotated[str, typer.Argument(metavar="A", help="A level 1 to 8, or an engine as uct:1000.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    games: Annotated[int, typer.Option("--games", help="How many games; an even number.")] = 100,
    opening: Annotated[int, typer.Option("--opening", help="Random moves before each pair of games.")] = 2,
    seed: Seed = 1,
    ray: Annotated[
        str | None,
        typer.Option(
            help="Play on the Ray cluster at HOST:PORT, to which this machine belongs; local: on all cores here. "
            "The result is the same."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let A play B, sides exchanged in pairs of games with the same opening; the score is A's."""
    made, _ = begin(spec, None)
    players = _player(made, first), _player(made, second)
    if games < 2 or games % 2 or opening < 0:
        raise BadInput(say("cli.even_games"))
    with _spread(ray) as spread, progress_bar(f"{first} – {second}", games) as advance:
        try:
            result = play_match(made, *players, games, seed, opening=opening, watch=lambda *_: advance(), spread=spread)
        except ValueError:
            raise BadInput(say("cli.long_opening")) from None
    low, high = result.interval
    if as_json:
        print_json(
            {
                "spec": made.spec,
                "a": first,
                "b": second,
                "games": result.games,
                "wins": result.wins,
                "draws": result.draws,
                "losses": result.losses,
                "score": round(result.score, 4),
                "interval": [round(low, 4), round(high, 4)],
                "seed": seed,
                "opening": opening,
            }
        )
    else:
        print(
            f"{first} – {second}: +{result.wins} ={result.draws} -{result.losses}, "
            f"{result.score:.1%} ({low:.1%} – {high:.1%})"
        )


def bench(as_json: AsJson = False) -> None:
    """Print node counts of fixed searches (the signature) and speeds on this machine."""
    counts, measured = signature(), speeds()
    if as_json:
        print_json({"signature": dict(counts), "speeds": dict(measured)})
        return
    for family, lines in counts.items():
        print(family)
        for line in lines:
            print(f"  {line}")
    for name, speed in measured.items():
        print(f"{speed:>14,.0f}/s  {name}")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (perft, match, bench):
        app.command()(command)
