"""Everything that is said, in every language, once: catalogues, results, refusals, spoken names, rules pages.

Word ids (`refusal.taken`) are the message ids of gettext catalogues; a word with a plural chooses its form by the
fact `n`. Families of other packages bring `WORDS`, a folder with `<language>/kletka.po` and `<language>/<family>.md`.
"""

from __future__ import annotations

from kletka.words.catalogue import LANGUAGES, choose_language, known, say
from kletka.words.rules import Diagram, Prose, rules
from kletka.words.sentences import (
    JOINERS,
    chances,
    decimal,
    duration,
    game_name,
    isolated,
    kind_name,
    listed,
    of_seat,
    percent,
    plain,
    played,
    refusal,
    result,
    score,
    seat_name,
    seats_list,
    sentence,
    spoken,
    title,
    to_move,
    told,
    trouble,
    why,
    winners,
)

__all__ = [
    "JOINERS",
    "LANGUAGES",
    "Diagram",
    "Prose",
    "chances",
    "choose_language",
    "decimal",
    "duration",
    "game_name",
    "isolated",
    "kind_name",
    "known",
    "listed",
    "of_seat",
    "percent",
    "plain",
    "played",
    "refusal",
    "result",
    "rules",
    "say",
    "score",
    "seat_name",
    "seats_list",
    "sentence",
    "spoken",
    "title",
    "to_move",
    "told",
    "trouble",
    "why",
    "winners",
]
