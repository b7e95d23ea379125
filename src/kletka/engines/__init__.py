"""Who to ask for a move: searches from the rules and in C++, levels, matches."""

from kletka.engines.analysis import (
    MOST_LINES,
    Analysis,
    Judgement,
    Line,
    Weighed,
    analyse,
    effort,
    judge,
    review,
    think,
    weigh,
)
from kletka.engines.base import Choice, Engine, Limit, Player, Progress, Stop
from kletka.engines.bench import machine, signature, speeds
from kletka.engines.match import MatchResult, Spread, Sprt, play_game, play_match
from kletka.engines.spread import NoCluster, on_ray
from kletka.engines.table import LEVELS, agrees, consents, engine, level, names
from kletka.engines.work import Told, choose_move, rebuild, would_agree

__all__ = [
    "LEVELS",
    "MOST_LINES",
    "Analysis",
    "Choice",
    "Engine",
    "Judgement",
    "Limit",
    "Line",
    "MatchResult",
    "NoCluster",
    "Player",
    "Progress",
    "Spread",
    "Sprt",
    "Stop",
    "Told",
    "Weighed",
    "agrees",
    "analyse",
    "choose_move",
    "consents",
    "effort",
    "engine",
    "judge",
    "level",
    "machine",
    "names",
    "on_ray",
    "play_game",
    "play_match",
    "rebuild",
    "review",
    "signature",
    "speeds",
    "think",
    "weigh",
    "would_agree",
]
