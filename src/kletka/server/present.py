"""What a viewer sees of a table: marks, names, sentences and panels of text, and the difference that an event makes.

A viewer is a language and a seat (None: a spectator). In open games every viewer sees one picture; in hidden games
each seat has its own, made by the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup, escape

from kletka import words
from kletka.drawing import drawing_of
from kletka.drawing.scene import SIGNS, Draft, Mark, Name, Phrase, signed
from kletka.drawing.svg import Spoken, fragment, panels
from kletka.games import Game, Reason, family_of, game, seat_words
from kletka.games.contract import Word
from kletka.server.templating import render
from kletka.tables import (
    Accepted,
    Declined,
    Disclosed,
    Event,
    Left,
    Moved,
    Offered,
    Opened,
    Refused,
    Resigned,
    Room,
    Seated,
    Table,
    TimedOut,
    fold,
    opened,
)
from kletka.tables.clocks import Outage

T = TypeVar("T")
_JSON = msgspec.json.Encoder()
_REPLACING_LEVEL = 4
"""The level of an engine that plays on for whoever left."""


class Viewer(msgspec.Struct, frozen=True, gc=False):
    """Who looks: a language and a seat (None: a spectator). `own` are all seats of this screen.

    Where several people share a screen and know different things, nobody looks before they say so: then there is no
    seat, but there are own ones.
    """

    language: str
    seat: int | None
    own: tuple[int, ...] = ()

    @property
    def shares(self) -> bool:
        """Whether several people look at this screen."""
        return len(self.own) > 1


def viewer_of(table: Table, language: str, owner: str, seat: int | None = None) -> Viewer:
    """Who looks by a token with this hash. Where it opens several seats, that is the one to move; where these know
    different things, it is the `seat` that is known to look."""
    own = table.seats_of(owner)
    if len(own) > 1 and table.game.hidden and not table.open:
        return Viewer(language, seat if seat in own else None, own)
    return Viewer(language, table.looking(own), own)


def passed_to(table: Table, viewer: Viewer) -> Viewer:
    """The viewer once a shared screen was passed on: the seat to move looks."""
    return Viewer(viewer.language, table.looking(viewer.own), viewer.own)


def passes(table: Table, event: Event, viewer: Viewer) -> bool:
    """Whether an event passes a screen that several share on to somebody else there, with nothing left to read for
    the one who looks: they moved, and nothing was answered. `table` is the table after it."""
    moved = event.body
    return (
        viewer.shares
        and table.game.hidden
        and not table.open
        and isinstance(moved, Moved)
        and moved.seat == viewer.seat != table.to_move
        and table.to_move in viewer.own
        and not moved.answered
    )


@dataclass(frozen=True)
class Picture:
    """Marks and names of a view at a version; nothing is open unless somebody is to move."""

    marks: Mapping[str, Mark]
    names: Mapping[str, Name]


def eye(table: Table, viewer: Viewer) -> int | None:
    """The seat whose view a viewer sees: all see the same in open games, and at open tables."""
    return viewer.seat if table.game.hidden and not table.open else None


def picture(table: Table, seat: int | None) -> Picture:
    """What a seat's view looks like."""
    drawing = drawing_of(table.game)
    view = table.view(seat)
    names = drawing.names(view)
    if table.to_move is None:
        names = {place: Name(name.said, None, name.lights) for place, name in names.items()}
    return Picture(signed(drawing.marks(view, table.last_heard(seat)), table.signs), names)


def spoken(table: Table, name: Name, language: str) -> Spoken:
    """A place's name in a language, and what a press there sends."""
    return Spoken(words.spoken(language, table.game, *name.said), *name[1:])


def _open(place: str, sends: str | None) -> int | str:
    return 0 if sends is None else 1 if sends == place else sends


def board(table: Table, viewer: Viewer) -> list[Markup]:
    """The board's panels as SVG for a page."""
    seat = eye(table, viewer)
    seen = picture(table, seat)
    scene = drawing_of(table.game).scene(table.game)
    names = {place: spoken(table, name, viewer.language) for place, name in seen.names.items()}
    titles = [words.spoken(viewer.language, table.game, *panel.title) for panel in scene.panels]
    return [Markup(panel) for panel in panels(scene, seen.marks, names, titles)]  # noqa: S704 (our renderer escapes)


def offer_kind(table: Table) -> str:
    """What ending by consent means here: by `score`, or as a `draw`."""
    return "score" if family_of(table.game).scored else "draw"


def heard(table: Table, moved: Moved, viewer: Viewer) -> tuple[str, str]:
    """A move as a viewer reads it in the list of moves, and its text where that says it otherwise (else empty)."""
    told = table.heard(moved, viewer.seat)
    phrase = drawing_of(table.game).heard(table.game, told)
    return words.told(viewer.language, table.game, told, phrase), told if phrase else ""


def happened(table: Table, event: Event, viewer: Viewer) -> str:
    """What an event did, in a sentence; `table` is the table after it. Empty where nothing is worth saying."""
    language = viewer.language

    def about(seat: int, form: str) -> str:
        return words.of_seat(language, table.game, seat, form)

    def named(seat: int, word: str, **facts: str) -> str:
        return words.sentence(words.spoken(language, table.game, f"table.{word}", {"seat": seat, **facts}))

    match event.body:
        case Moved(seat) as moved:
            return words.played(language, table.game, seat, heard(table, moved, viewer)[0])
        case Resigned(seat) if table.started:
            return about(seat, "resigned")
        case Resigned():
            return words.say(language, "table.place_closed")
        case TimedOut(seat):
            return named(seat, "timed_out")
        case Seated(seat, level=level) if level is not None and table.line:
            return named(seat, "engine_plays_on")
        case Left(seat):
            return named(seat, "left")
        case Offered(seat, "end"):
            return "" if table.agreed else about(seat, f"offers_{offer_kind(table)}")
        case Offered(seat, "takeback") | Accepted(seat) if table.base == event.version:
            return words.say(language, "table.taken_back")
        case Offered(seat, "takeback", to):
            return named(seat, "asks_back", moves=undone(table, to, viewer))
        case Offered(seat, "rematch"):
            return "" if table.next else named(seat, "offers_rematch")
        case Accepted(seat) if table.next:
            return words.say(language, "table.rematch_agreed")
        case Accepted(seat) if not table.agreed:
            return about(seat, "agrees")
        case Declined(seat, withdrawn):
            said = about(seat, "withdraws" if withdrawn else "declines")
            return said if table.outcome else f"{said} {words.say(language, 'table.goes_on')}"
        case Disclosed():
            return words.say(language, "table.disclosed")
        case _:
            return ""


def undone(table: Table, to: int, viewer: Viewer) -> str:
    """The moves that go when only the events up to a version stand, as a viewer reads them."""
    return words.listed(viewer.language, [heard(table, moved, viewer)[0] for moved in table.undone(to)])


def say(table: Table, event: Event, viewer: Viewer) -> str:
    """The one sentence under the board: what just happened, whose turn it is, and what may be done."""
    language = viewer.language
    parts = [happened(table, event, viewer)]
    if outcome := table.outcome:
        if viewer.seat is not None and not viewer.shares and 0 < len(outcome.winners) < table.game.seats:
            parts.append(words.say(language, "table.you_won" if viewer.seat in outcome.winners else "table.you_lost"))
        # Who left has just been said.
        telling = words.winners if isinstance(event.body, Resigned | TimedOut) else words.result
        parts.append(telling(language, table.game, outcome))
        # A drawing doesn't know that people ended the game.
        parts += remarks(table, viewer) if table.state.outcome else []
        if table.sealed:
            parts.append(words.say(language, "table.sealed"))
    elif not table.started:
        free = sum(seat is None for seat in table.seats)
        if viewer.seat is None:
            parts.append(words.say(language, "table.waiting_for_you"))
        elif table.game.seats == 2:
            parts.append(words.say(language, "table.waiting"))
        else:
            parts.append(words.say(language, "table.waiting_more", n=free))
    elif table.to_move is not None:
        remarked = remarks(table, viewer)
        parts += remarked
        if table.to_move == viewer.seat:
            turn = words.to_move(language, table.game, table.to_move)
            parts.append(turn if viewer.shares else words.say(language, "table.your_turn"))
            if not remarked:
                parts.append(words.say(language, f"game.{family_of(table.game).name}.do"))
        else:
            parts.append(words.to_move(language, table.game, table.to_move))
        if viewer.seat is None and not viewer.own:
            parts.append(words.say(language, "table.watching"))
    return " ".join(filter(None, parts))


def remarks(table: Table, viewer: Viewer) -> list[str]:
    """What the position itself adds to the sentence."""
    seat = eye(table, viewer)
    phrases = drawing_of(table.game).remarks(table.view(seat), table.last_heard(seat))
    return [words.sentence(words.spoken(viewer.language, table.game, *phrase)) for phrase in phrases]


def item(table: Table, event: Event, viewer: Viewer) -> str:
    """An entry of the list of moves, or nothing; `table` is how the table stands, be it long after the event."""
    text = told = ""
    match event.body:
        case Moved(seat) as moved:
            text, told = heard(table, moved, viewer)
        case Resigned(seat) | TimedOut(seat):
            text = happened(table, event, viewer)
        case _:
            return ""
    title = f' title="{escape(told)}"' if told else ""
    return (
        f'<li data-v="{event.version}" class="s{seat}"{title}><button type="button" tabindex="-1" '
        f'data-step="{event.version}">{escape(text)}</button></li>'
    )


def items(table: Table, viewer: Viewer) -> str:
    """The list of moves that stand, as a viewer may read it now."""
    return "".join(item(table, event, viewer) for event in table.line)


def pressed(table: Table, viewer: Viewer) -> list[tuple[str, Phrase]]:
    """The moves that no place sends and that the viewer may make now, with their labels."""
    buttons = drawing_of(table.game).scene(table.game).buttons
    if not buttons or viewer.seat is None or table.to_move != viewer.seat:
        return []
    view = table.view(viewer.seat)
    return [(move, label) for move, label in buttons if not view.refuses(move)]


def presses(table: Table, viewer: Viewer) -> list[tuple[str, str, bool]]:
    """The same with their labels said, and whether they are to be pressed twice."""
    sure = drawing_of(table.game).scene(table.game).sure
    said = partial(words.spoken, viewer.language, table.game)
    return [(move, said(*label), move in sure) for move, label in pressed(table, viewer)]


def again(table: Table) -> tuple[str, str] | None:
    """For an open table that was set up with a secret: its share code, and the address where it is to be found anew."""
    code = table.game.share_code(table.setup) if table.open and table.setup is not None else ""
    if not code:
        return None
    family = family_of(table.game)
    preset = next((p for p in family.presets if game(p.spec) == table.game), None)
    chosen = {"preset": preset.id} if preset else {"spec": table.game.spec}
    return code, f"/new/{family.name}?{urlencode(chosen | {'code': code})}"


def commitments(table: Table, viewer: Viewer) -> list[dict[str, str]]:
    """The commitments as a viewer may see them: what each is to and its hash, and at an open table what was hidden, the
    salt and the address of the page that checks it."""
    shown = []
    for one in table.committed(eye(table, viewer)):
        seat = None if one.seat is None else words.sentence(words.seat_name(viewer.language, table.game, one.seat))
        query = urlencode({"text": one.text, "salt": one.salt, "hash": one.hash})
        shown.append(
            {
                "of": seat or words.say(viewer.language, "proof.setup"),
                "hash": one.hash,
                "text": one.text,
                "salt": one.salt,
                "check": f"/{viewer.language}/check?{query}" if one.salt else "",
            }
        )
    return shown


def parts(table: Table, viewer: Viewer, only: str = "") -> dict[str, str]:
    """The panels of text beside the board that an event may change, as HTML by name: all of them or one."""
    shown = {
        "table": table,
        "viewer": viewer,
        "lang": viewer.language,
        "seats": seated(table, viewer),
        "kind": offer_kind(table),
        "presses": presses(table, viewer),
        "offer": offered(table, viewer),
        "backs": backs(table, viewer),
        "again": again(table),
        "signs": table.free_signs,
        "level": _REPLACING_LEVEL,
        "replaceable": replaceable(table, viewer),
        "begun": begun(table),
        "ends": viewer.seat is not None and not table.asked("end", viewer.seat),
        "rematch": rematch_word(table),
    }
    if only:
        return {only: render(f"part_{only}.html", **shown)}
    made = {name: render(f"part_{name}.html", **shown) for name in ("players", "clocks", "actions", "take", "again")}
    if table.game.hidden:
        made["proof"] = render("part_proof.html", lang=viewer.language, commitments=commitments(table, viewer))
    return made | {"invite": ""} if table.started or viewer.seat is None else made


def offered(table: Table, viewer: Viewer) -> dict[str, Any] | None:
    """The offer on the table as a seat sees it: a sentence, and whether it may still be accepted; None where none is,
    or it isn't for the viewer to say anything."""
    offer, seat = table.offered, viewer.seat
    if offer is None or seat is None or (offer.what != "rematch" and seat in table.gone):
        return None
    kind = offer_kind(table) if offer.what == "end" else offer.what
    mine = seat in table.beside(offer.seat)
    state = "sent" if mine else "agreed" if seat in table.accepted else "open"
    moves = undone(table, offer.to, viewer) if offer.what == "takeback" else ""
    said = words.say(viewer.language, f"table.offer_{state}.{kind}", moves=moves)
    return {"said": said, "state": state, "version": table.offer}


def takes_back(table: Table, viewer: Viewer) -> list[tuple[str, str]]:
    """What a seat may take back, or ask to: what is asked for, and the word for it. The last move, and the whole last
    turn where that is more."""
    seat = viewer.seat
    if seat is None or table.to_move is None or table.game.hidden or seat in table.gone:
        return []
    last, turn = table.before(seat, False), table.before(seat, True)
    if last is None:
        return []
    asks = "ask_back" if table.asked("takeback", seat) else "take_back"
    moves = [("takeback", f"table.{asks}.move")]
    return moves if turn == last else [*moves, ("turn", f"table.{asks}.turn")]


def backs(table: Table, viewer: Viewer) -> list[tuple[str, str]]:
    """The same with what the button says."""
    return [(what, words.say(viewer.language, word)) for what, word in takes_back(table, viewer)]


def begun(table: Table) -> bool:
    """Whether the game is under way for every viewer: as many things have happened as there are seats."""
    return len(table.line) >= len(table.seats)


def replaceable(table: Table, viewer: Viewer) -> bool:
    """Whether a seat can be left to an engine: not to play against engines alone."""
    return viewer.seat is not None and any(not table.level(seat) for seat in table.staying if seat != viewer.seat)


def rematch_word(table: Table) -> str:
    """The word id of what another game is called here."""
    if table.opening.round < table.opening.rounds:
        return "table.next_game"
    return "table.play_again" if len(table.seats) == 1 else "table.rematch"


def clock(table: Table, outages: Sequence[Outage] = ()) -> dict[str, Any] | None:
    """What the clocks say, in milliseconds: what each seat has left, and when the running one will be at nought.

    None runs while somebody makes a first move, which isn't counted.
    """
    if table.opening.clock is None:
        return None
    ends = table.deadline(outages) if table.runs else None
    return {
        "left": [max(0, round(left * 1000)) for left in table.left],
        "deadline": None if ends is None else round(ends * 1000),
        "to": table.to_move if ends is not None else None,
    }


def seated(table: Table, viewer: Viewer) -> list[dict[str, Any]]:
    """Who sits on each seat, as a page shows it."""
    family = family_of(table.game)
    signs = table.signs or drawn_signs(table.game)
    score = table.state.scores if family.scored else ()
    opening = table.opening
    counted = bool(opening.series or opening.rounds)
    standing = standings(table, viewer)
    return [
        {
            "number": number,
            "word": words.sentence(words.seat_name(viewer.language, table.game, number)),
            "play": words.of_seat(viewer.language, table.game, number, "play"),
            "sign": signs[number],
            "taken": seat is not None,
            "name": seat.name if seat else "",
            "level": seat.level if seat else None,
            "you": viewer.seat == number and not viewer.shares,
            "left": words.duration(viewer.language, table.left[number]) if table.left else "",
            "points": words.decimal(viewer.language, table.points[number]) if counted else "",
            "gone": number in table.gone,
            "score": score[number] if score else None,
            "standing": standing[number] if standing else "",
        }
        for number, seat in enumerate(table.seats)
    ]


@lru_cache(maxsize=256)
def drawn_signs(game: Game) -> tuple[str, ...]:
    """The signs of a game's seats: those that name them, or the house's in order, without those that name others."""
    named = [word for word in seat_words(game) if word in SIGNS]
    free = [sign for sign in SIGNS if sign not in family_of(game).seat_words]
    return tuple((named if len(named) >= game.seats else free)[: game.seats])


def standings(table: Table, viewer: Viewer) -> list[str]:
    """What is said beside each seat's name; empty where nothing is."""
    phrases = drawing_of(table.game).standing(table.view(eye(table, viewer)))
    return [words.spoken(viewer.language, table.game, *phrase) for phrase in phrases]


_Changes = tuple[dict[str, str | None], dict[str, list[str | int]]]
"""Marks and places that an event changed, as messages carry them."""
_PANELS = attrgetter("seats", "offered", "accepted", "gone", "status", "next", "disclosed")
"""What panels of text depend on, besides what `Shown.panels` says."""


class Shown:
    """A table with its pictures: one is drawn for each view that somebody looks at, and once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._pictures: dict[int | None, Picture] = {}
        self._panels: dict[Viewer, tuple[object, object]] = {}
        self._common: dict[int | None, tuple[object, ...]] = {}

    def picture(self, seat: int | None) -> Picture:
        """The picture of a view."""
        if seat not in self._pictures:
            self._pictures[seat] = picture(self.table, seat)
        return self._pictures[seat]

    def panels(self, viewer: Viewer) -> tuple[object, object]:
        """What a viewer's panels of text follow from, and what only the acts offered there do: where it stays the same,
        so do they. A move that only passes the turn changes nothing."""
        if viewer not in self._panels:
            table, seat = self.table, eye(self.table, viewer)
            if seat not in self._common:
                standing = drawing_of(table.game).standing(table.view(seat))
                said = standing, table.committed(seat)
                self._common[seat] = (_PANELS(table), table.state.scores, said)
            self._panels[viewer] = (
                self._common[seat],
                (begun(table), pressed(table, viewer), takes_back(table, viewer)),
            )
        return self._panels[viewer]


class Step:
    """One event of a table as every viewer hears it; each message is made once for a kind of viewer."""

    def __init__(self, before: Shown, after: Shown, event: Event) -> None:
        self.before, self.after, self.event = before, after, event
        self._made: dict[Viewer, dict[str, Any]] = {}
        self._texts: dict[Viewer, str] = {}
        self._changes: dict[tuple[int | None, int | None, str], _Changes] = {}

    def text(self, viewer: Viewer) -> str:
        """The event as JSON for a viewer."""
        if viewer not in self._texts:
            self._texts[viewer] = _JSON.encode(self.message(viewer)).decode()
        return self._texts[viewer]

    def message(self, viewer: Viewer) -> dict[str, Any]:
        """The event for a viewer: only what changed."""
        if viewer in self._made:
            return self._made[viewer]
        after, event = self.after.table, self.event
        marks, places = self._drawn(eye(self.before.table, viewer), eye(after, viewer), viewer.language)
        message: dict[str, Any] = {
            "v": event.version,
            "to": after.to_move,
            "base": after.base,
            "say": say(after, event, viewer),
            "marks": marks,
            "places": places,
        }
        if after.open:
            message["over"] = 1
        if viewer.shares or isinstance(event.body, Seated | Left):
            message |= sits(viewer)
        if passes(after, event, viewer):
            message["passes"] = 1
        if said := clock(after):
            message["clock"] = said
        if viewer.seat is not None and after.next and not self.before.table.next:
            message["follow"] = f"/{viewer.language}/t/{after.next}"
        opens = after.game.hidden and after.open and not self.before.table.open
        if opens or len(after.line) < len(self.before.table.line):
            # What was private until now is told to everybody; what was taken back goes.
            message["items"] = items(after, viewer)
        elif entry := item(after, event, viewer):
            message["item"] = entry
        (was, could), (now, can) = self.before.panels(viewer), self.after.panels(viewer)
        if was != now:
            message["parts"] = parts(after, viewer)
        elif could != can:
            message["parts"] = parts(after, viewer, "actions")
        self._made[viewer] = message
        return message

    def _drawn(self, was: int | None, now: int | None, language: str) -> _Changes:
        """The marks and places that the event changed, for all who see the same and read the same language."""
        key = was, now, language
        if key not in self._changes:
            old, new, table = self.before.picture(was), self.after.picture(now), self.after.table
            marks: dict[str, str | None] = {
                name: fragment(mark) for name, mark in _others(old.marks, new.marks) if old.marks.get(name) != mark
            }
            marks |= dict.fromkeys(old.marks.keys() - new.marks.keys())
            places = {
                place: _place(table, place, said, language)
                for place, said in _others(old.names, new.names)
                if old.names.get(place) != said
            }
            self._changes[key] = marks, places
        return self._changes[key]


def _others(old: Mapping[str, T], new: Mapping[str, T]) -> list[tuple[str, T]]:
    """What isn't the very same object: that is quicker seen than that two are alike."""
    known = old.get
    return [(name, one) for name, one in new.items() if known(name) is not one]


def sits(viewer: Viewer) -> dict[str, Any]:
    """Which seat a viewer has (None: none), and all seats of the screen."""
    return {"seat": viewer.seat, "own": list(viewer.own)}


def _place(table: Table, place: str, name: Name, language: str) -> list[str | int]:
    """Spoken name and what a press sends; then, where there are any, what to light up and how to go on."""
    said = spoken(table, name, language)
    more = [" ".join(said.lights), " ".join(said.then)]
    while more and not more[-1]:
        more.pop()
    return [said.name, _open(place, said.sends), *more]


def replayed(log: list[Event]) -> Iterator[tuple[Table, Event]]:
    """The table after each event of a log."""
    body = log[0].body
    assert isinstance(body, Opened)
    table = opened(body)
    yield table, log[0]
    for event in log[1:]:
        table = fold(table, event)
        yield table, event


def history(log: list[Event], viewer: Viewer, since: int = 0) -> list[dict[str, Any]]:
    """The messages of a log's events from a version on, as this viewer heard them; from 0 the first is whole."""
    return [
        Step(before, after, event).message(viewer) if before else whole(after.table, [event], viewer)
        for before, after, event in pictured(replayed(log))
        if event.version >= since
    ]


def pictured(steps: Iterable[tuple[Table, Event]]) -> Iterator[tuple[Shown | None, Shown, Event]]:
    """Each event with the table before it (None: it is the first one) and after it; a picture is drawn once."""
    before = None
    for table, event in steps:
        after = Shown(table)
        yield before, after, event
        before = after


def whole(table: Table, log: list[Event], viewer: Viewer) -> dict[str, Any]:
    """A snapshot: the event that says everything. `log` ends at the table's version."""
    return still(table, log[-1], viewer) | {"items": items(table, viewer), "parts": parts(table, viewer)}


def still(table: Table, event: Event, viewer: Viewer) -> dict[str, Any]:
    """A snapshot of the board after an event, without the list of moves and the panels of text beside it."""
    seen = picture(table, eye(table, viewer))
    message: dict[str, Any] = {
        "v": table.version,
        "to": table.to_move,
        "base": table.base,
        "say": say(table, event, viewer),
        "marks": {key: fragment(mark) for key, mark in seen.marks.items()},
        "places": {place: _place(table, place, name, viewer.language) for place, name in seen.names.items()},
        "whole": 1,
    } | sits(viewer)
    return message | {"over": 1} if table.open else message


def encode(message: dict[str, Any]) -> str:
    """A message as JSON."""
    return _JSON.encode(message).decode()


def reasons(room: Room | None, refused: Refused, language: str) -> list[dict[str, Any]]:
    """A refusal as the page shows it: code, places, sentence."""
    return [_reason(room, reason, language) for reason in refused.reasons]


def drafted(table: Table, viewer: Viewer, text: str, act: str) -> dict[str, Any]:
    """A draft as the page shows it; all that it tells follows from the viewer's view. Raises NotationError."""
    language, made, seat = viewer.language, table.game, viewer.seat
    said = partial(words.spoken, language, made)
    draft = drawing_of(made).draft(table.view(seat), seat, text, table.house, act)
    sends = draft.sends if seat is not None and table.to_move is not None and seat not in table.gone else None
    return {
        "marks": {key: fragment(mark) for key, mark in signed(draft.marks, table.signs).items()},
        "refused": [_said(made, reason, language) for reason in draft.reasons],
        "sends": sends,
        "label": _label(made, draft, language) if sends else "",
        "panel": draft.panel,
        "text": draft.text,
        "atom": draft.atom,
        "can": draft.can,
        "says": [words.sentence(said(*phrase)) for phrase in draft.says],
        "warning": words.sentence(said(*draft.warning)) if draft.warning else "",
        "elsewhere": words.sentence(said(*draft.elsewhere)) if draft.elsewhere else "",
    }


def _label(made: Game, draft: Draft, language: str) -> str:
    """What the button says that sends a draft: as the drawing has it, or by the move's first word."""
    if draft.label:
        return words.spoken(language, made, *draft.label)
    word = f"button.{family_of(made).name}.{(draft.sends or '').partition(':')[0]}"
    return words.say(language, word if word in words.known(language) else "table.play")


def _said(made: Game, reason: Reason, language: str) -> dict[str, Any]:
    said = words.refusal(language, made, reason)
    # A word may begin the sentence, but the name of a place keeps its letters.
    if any(isinstance(fact, Word) for fact in reason.facts.values()):
        said = words.sentence(said)
    return {"code": reason.code, "at": list(reason.places), "say": said}


def _reason(room: Room | None, reason: Reason, language: str) -> dict[str, Any]:
    if room is not None:
        return _said(room.table.game, reason, language)
    said = words.say(language, f"refusal.{reason.code}", **reason.facts)
    return {"code": reason.code, "at": list(reason.places), "say": said}


__all__ = [
    "Shown",
    "Step",
    "Viewer",
    "board",
    "clock",
    "drafted",
    "encode",
    "history",
    "items",
    "parts",
    "passed_to",
    "pictured",
    "reasons",
    "replayed",
    "say",
    "still",
    "viewer_of",
    "whole",
]
