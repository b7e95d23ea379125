"""Orapa Mine: gems in a mine, found by their echoes; an heir of Eric Solomon's Black Box."""

from kletka.games.family import Family, Preset
from kletka.games.orapa.hunt import Duel, Hunt, Options, Orapa, Turns

FAMILY = Family(
    "orapa",
    Options,
    Orapa,
    (
        Preset("solo", "orapa"),
        Preset("together", "orapa:players=2"),
        Preset("duel", "orapa:mode=duel"),
        Preset("expert", "orapa:diamond=true,blackbody=true"),
        Preset("bga", "orapa:players=2,whites=free"),
        Preset("printed", "orapa:answer=bounces"),
    ),
    reasons=(
        "over",
        "notation",
        "told",
        "no_place",
        "bad_gem",
        "off_board",
        "hide_first",
        "not_hiding",
        "asked_already",
        "answered",
        "nothing_asked",
        "tried",
        "missing",
        "twice",
        "foreign",
        "overlap",
        "touch",
        "unseen",
        "not_centred",
        "no_common_axis",
    ),
    results=("solved", "both", "out", "left", "agreed"),
)

__all__ = ["FAMILY", "Duel", "Hunt", "Options", "Orapa", "Turns"]
