"""What an engine thinks, as people read it: moves, scores and judgements in words, and marks for the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kletka import words
from kletka.drawing import drawing_of, led
from kletka.drawing.scene import signed
from kletka.drawing.svg import fragment
from kletka.engines import Analysis, Line, Weighed
from kletka.games import Game, Move, State, family_of

_LONGEST_LINE = 8
"""Moves of a line that are said."""


def named(language: str, made: Game, move: str) -> str:
    """A move in words, before it is made."""
    if not made.hidden:
        return words.told(language, made, move, drawing_of(made).heard(made, move))
    label = dict(drawing_of(made).scene(made).buttons).get(Move(move))
    if label is not None:
        return words.spoken(language, made, *label)
    kind, colon, _ = move.partition(":")
    button = f"button.{family_of(made).name}.{kind}"
    return words.say(language, button) if colon and button in words.known(language) else move


def said_line(language: str, made: Game, line: Line) -> dict[str, Any]:
    """A move with its score, and how the game would go on, for the page."""
    return {
        "move": line.move,
        "said": named(language, made, line.move),
        "score": line.score,
        "exact": line.exact,
        "said_score": words.chances(language, line.score, line.exact),
        "line": [named(language, made, move) for move in line.line[:_LONGEST_LINE]],
    }


def advised(
    language: str, view: State, found: Analysis, signs: Sequence[str] = (), word: str = "think.found"
) -> dict[str, Any]:
    """The best moves as the page shows them: each with its score and marks, the best one also as a sentence.

    `word` is the sentence's id: somebody who plays is given a hint, `think.said`.
    """
    made = view.game
    lines = []
    for line in found.lines:
        marks = signed(led(view, (line.move, *line.line[1:])), signs)
        drawn = {key: fragment(mark) for key, mark in marks.items()}
        lines.append(said_line(language, made, line) | {"marks": drawn})
    first = lines[0]
    said = [words.say(language, word, move=first["said"], score=first["said_score"])]
    if first["line"][1:]:
        said.append(words.say(language, "think.line", line=", ".join(first["line"][1:])))
    return {"say": " ".join(said), "lines": lines}


def judged(language: str, view: State, weighed: Weighed) -> dict[str, Any]:
    """How a move of a game compares with the best one, as the page shows it.

    `share` is the first seat's share of the win after the move, for games of two (None: nobody knows).
    """
    made, judgement = view.game, weighed.judgement
    best, played = (said_line(language, made, line) for line in (weighed.best, weighed.played))
    kind = words.say(language, f"think.{judgement.kind}")
    better = {"kind": kind, "best": best["said"], "score": best["said_score"]}
    if not judgement.fell or judgement.kind in ("best", "good"):
        said = words.say(language, "think.of", score=kind, kind=played["said_score"])
    elif judgement.proven:
        said = words.say(language, "think.lost", **better)
    else:
        said = words.say(language, "think.gave", fell=words.percent(language, judgement.fell), **better)
    already = judgement.kind in ("best", "good") and weighed.best.exact and weighed.best.score == 0
    if already:
        said = words.say(language, "think.already")
    if made.seats > 1 and view.to_move is not None:
        seat = words.seat_name(language, made, view.to_move)
        said = words.say(language, "think.judged", seat=seat, said=said[:1].lower() + said[1:])
    score = weighed.played.score if made.seats == 2 else None
    return {
        "kind": judgement.kind,
        "said_kind": kind,
        "fell": judgement.fell,
        "proven": judgement.proven,
        "say": said,
        "best": best,
        "played": played,
        "share": score if score is None or view.to_move == 0 else 1 - score,
    }
