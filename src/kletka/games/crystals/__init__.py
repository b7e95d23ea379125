"""Crystals: growing symmetric crystals on squared paper (Eric Solomon, 1973), with every ruleset."""

from __future__ import annotations

from kletka.games.contract import SpecError
from kletka.games.crystals import examples
from kletka.games.crystals.board import Board, drawn_text, members, read_squares, squares_text
from kletka.games.crystals.maxima import Maximal, fits, maxima
from kletka.games.crystals.outline import flaws, middle_of, orbit
from kletka.games.crystals.paper import Centre, Paper
from kletka.games.crystals.sheet import Crystal, Crystals, Options, Sheet, Turn
from kletka.games.family import Family, Preset


def _made(options: Options) -> Crystals:
    game = Crystals(options)
    if not fits(game.paper, game.board.mask):
        raise SpecError("no_room", "board")
    return game


FAMILY = Family(
    name="crystals",
    options=Options,
    make=_made,
    presets=(
        Preset("solomon", "crystals", examples.SOLOMON),
        Preset("swap", "crystals:swap=true", examples.SWAP),
        Preset("quick", "crystals:board=15x15", examples.QUICK),
        Preset("fair", "crystals:board=11x11", examples.FAIR),
        Preset("diagram2", "crystals:board=20x20,interlock=allowed,fill=full", examples.DIAGRAM),
        Preset("diagram3", "crystals:board=30x30,players=3,interlock=allowed,fill=full"),
        Preset("diagram4", "crystals:board=40x40,players=4,interlock=allowed,fill=full"),
        Preset("natural", "crystals:axes=2", examples.NATURAL),
    ),
    reasons=(
        *("over", "notation", "off_board", "taken", "grown", "no_swap", "many"),
        *("not_symmetric", "not_joined", "hole", "interlock", "foreign", "too_few", "overlap", "unfilled"),
    ),
    results=("dead", "full", "passed", "left", "agreed"),
    scored=True,
)

__all__ = [
    "FAMILY",
    "Board",
    "Centre",
    "Crystal",
    "Crystals",
    "Maximal",
    "Options",
    "Paper",
    "Sheet",
    "Turn",
    "drawn_text",
    "fits",
    "flaws",
    "maxima",
    "members",
    "middle_of",
    "orbit",
    "read_squares",
    "squares_text",
]
