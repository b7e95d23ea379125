"""Sentences about a game: whose turn, what was played, refusals and results. Each comes from one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from unicodedata import category

from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

from kletka.games import Game, KletkaError, Outcome, Reason, SpecError, family_of, game, seat_words
from kletka.games.contract import Word
from kletka.games.registry import forms
from kletka.words.catalogue import known, say

JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Format characters that belong to letters and pictures of many scripts: emoji and Persian words are made with them."""


def sentence(text: str) -> str:
    """A text with a capital at its beginning; seats' names may be in lower case."""
    return text[:1].upper() + text[1:]


def _seat_word(game: Game, seat: int) -> str:
    listed = seat_words(game)
    return listed[seat % len(listed)]


def seat_name(language: str, game: Game, seat: int) -> str:
    """A seat's name in the nominative: `crosses`, `Blue`."""
    return say(language, f"seat.{_seat_word(game, seat)}")


def kind_name(language: str, made: Game) -> str:
    """What a game is called without its options: as its family, unless its shape has a name of its own."""
    family = family_of(made).name
    tag = forms(family).tag
    word = f"game.{family}.{getattr(made.options, tag)}" if tag else ""
    return say(language, word if word in known(language) else f"game.{family}")


def game_name(language: str, made: Game) -> str:
    """What a game is called: its preset's name where it is one, else that of its family or shape."""
    family = family_of(made)
    preset = next((preset for preset in family.presets if game(preset.spec) == made), None)
    return say(language, f"preset.{family.name}.{preset.id}") if preset else kind_name(language, made)


def title(language: str, made: Game) -> str:
    """A game by the name of its family or shape and, where it is a preset, by that as well."""
    kind, name = kind_name(language, made), game_name(language, made)
    return name if name.startswith(kind) else say(language, "page.pair", a=kind, b=name)


def seats_list(language: str, game: Game, seats: Sequence[int]) -> str:
    """Several seats' names joined as the language joins them."""
    return listed(language, [seat_name(language, game, seat) for seat in sorted(seats)])


def listed(language: str, texts: Sequence[str]) -> str:
    """Texts joined as the language joins them: `b2, a1 and c3`."""
    return format_list(list(texts), locale=language)


def isolated(name: str) -> str:
    """A name that somebody chose, to stand inside a sentence: which way it is written stays its own affair."""
    return f"\u2068{name}\u2069"


def plain(text: str) -> str:
    """A text from outside, to be shown as it is: no sign in it turns around what stands beside, or gives an order to a
    terminal."""
    kept = (sign.isprintable() or category(sign) == "Zs" or sign in JOINERS for sign in text)
    return "".join(sign if may else "\N{REPLACEMENT CHARACTER}" for sign, may in zip(text, kept, strict=True))


def decimal(language: str, number: float) -> str:
    """A number with two decimals at most, as the language writes it: `1.5`, `1,5`."""
    return format_decimal(round(number, 2), format="0.##", locale=language)


def duration(language: str, seconds: float) -> str:
    """What a clock shows: `4:59`, `1:04:59`, and from a day on `2 d 4 h`; whole seconds, the one that runs counted."""
    left = max(0, ceil(seconds))
    if left >= 86_400:
        return say(language, "table.clock.days", days=left // 86_400, hours=left % 86_400 // 3_600)
    minutes, hours = left // 60 % 60, left // 3_600
    return f"{hours}:{minutes:02}:{left % 60:02}" if hours else f"{minutes}:{left % 60:02}"


def _said(language: str, facts: Mapping[str, int | str]) -> dict[str, int | str]:
    """Facts with those that are words said."""
    return {key: say(language, fact) if isinstance(fact, Word) else fact for key, fact in facts.items()}


def _shown(facts: Mapping[str, int | str]) -> dict[str, int | str]:
    """What is wrong with a text, with the parts of it that somebody typed as they may be shown; words stay words."""
    return {key: plain(fact) if type(fact) is str else fact for key, fact in facts.items()}


def spoken(language: str, game: Game, word: str, facts: Mapping[str, int | str]) -> str:
    """A phrase of a drawing or rules module: the fact `seat` is a seat's number, said by its name; words are said."""
    said = _said(language, facts)
    if isinstance(seat := said.get("seat"), int):
        said["seat"] = seat_name(language, game, seat)
    return say(language, word, **said)


def _of_family(language: str, word: str, game: Game) -> str:
    """The family's own wording of a code where it has one, the common wording otherwise."""
    kind, _, code = word.partition(".")
    own = f"{kind}.{family_of(game).name}.{code}"
    return own if own in known(language) else word


def of_seat(language: str, game: Game, seat: int, form: str) -> str:
    """A sentence that a seat's name has a form of its own for: `Crosses resigned.`"""
    return say(language, f"seat.{_seat_word(game, seat)}.{form}")


def to_move(language: str, game: Game, seat: int) -> str:
    """Whose turn it is: `Crosses to move.`"""
    return of_seat(language, game, seat, "to_move")


def played(language: str, game: Game, seat: int, told: str) -> str:
    """What was just played: `Crosses: b2.`"""
    return say(language, f"seat.{_seat_word(game, seat)}.played", told=told)


def told(language: str, game: Game, text: str, phrase: tuple[str, Mapping[str, int | str]] | None) -> str:
    """A told text as its drawing has it in words; the text itself where that says it best."""
    return text if phrase is None else spoken(language, game, *phrase)


def refusal(language: str, game: Game, reason: Reason) -> str:
    """The sentence of a refused move's reason."""
    return spoken(language, game, _of_family(language, f"refusal.{reason.code}", game), _shown(reason.facts))


def trouble(language: str, error: KletkaError) -> str:
    """The sentence of an error in a spec, position or record; options are named as the family's form names them, and
    what is wrong with a move is said as a refused move's reason where there are no other words for it."""
    facts = _said(language, _shown(error.facts))
    if isinstance(error, SpecError):
        named = f"option.{error.family}.{error.option}"
        if named in known(language):
            facts["option"] = say(language, named)
    words = [f"{kind}.{code}" for kind in ("error", "refusal") for code in (f"{error.family}.{error.code}", error.code)]
    return say(language, next((word for word in words if word in known(language)), words[1]), **facts)


def winners(language: str, game: Game, outcome: Outcome) -> str:
    """Who won or shares the first place, and the score where the game keeps one."""
    family = family_of(game)
    winners = sorted(outcome.winners)
    if not winners:
        first = say(language, "result.nobody")
    elif len(winners) == 1:
        first = say(language, f"seat.{_seat_word(game, winners[0])}.wins")
    elif len(winners) == game.seats:
        first = say(language, "result.draw")
    else:
        first = sentence(say(language, "result.shared", seats=seats_list(language, game, winners)))
    return f"{first} {score(language, outcome.scores)}" if family.scored else first


def score(language: str, scores: Sequence[int]) -> str:
    """The score in seat order: `Score: 3–2.`"""
    return say(language, "result.score", score=say(language, "result.between").join(map(str, scores)))


def result(language: str, game: Game, outcome: Outcome) -> str:
    """The result in words: who won, and why the game ended."""
    return f"{winners(language, game, outcome)} {why(language, game, outcome)}"


def why(language: str, game: Game, outcome: Outcome) -> str:
    """Why a game ended; all that is worth saying of one for one."""
    return say(language, _of_family(language, f"why.{outcome.reason}", game))


def percent(language: str, share: float) -> str:
    """A share as whole per cent: `73%`."""
    return format_percent(share, "#,##0%" if language == "en" else None, locale=language)


def chances(language: str, share: float | None, proven: bool) -> str:
    """What a score means: `chances 73%, an estimate`, `a win, proven`; a share of None is no opinion."""
    if share is None:
        return say(language, "think.none")
    known_as = {1.0: "think.win", 0.5: "think.draw", 0.0: "think.loss"}.get(share) if proven else None
    score = say(language, known_as) if known_as else say(language, "think.chances", share=percent(language, share))
    return say(language, "think.of", score=score, kind=say(language, "think.proven" if proven else "think.estimate"))
