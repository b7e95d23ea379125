"""Whatever people call themselves or send, every view is made of the same elements, and shows it as text that keeps its
direction to itself; no file takes harm from it."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from kletka.records import parse
from kletka.words import LANGUAGES
from tests.server.markup import nodes
from tests.server.site import Site
from tests.server.test_names import HOSTILE, _names

NAMES = [
    *HOSTILE,
    "<script>hit=1</script>",
    '"><img src=x onerror=hit=1>',
    "javascript:hit=1//",
    "]]><svg onload=hit=1>",
    "--></style></textarea><b>",
    "%(x)s {0} {who} ${x} #{x}",
    "\u202eAnna\u2067\u200b\ufeff",
    'a\nb\r\n[seat2 "x"]\x00\x1b[2J',
    "W" * 30,
    "\\\" ' & < > ` \\n \\",
]
INNOCENT = "Anna"
TYPED = [*NAMES, "\ud800", "\u2069\u202e\u2066", "=HYPERLINK(1)", "x" * 4000]
"""What else people send: it isn't cleaned as names are."""


def skeleton(inner: tuple[Any, ...]) -> tuple[Any, ...]:
    """The elements with the names of their attributes, without any text."""
    return tuple((tag, tuple(name for name, _ in pairs), skeleton(within)) for tag, pairs, within in elements(inner))


def elements(inner: tuple[Any, ...]) -> list[Any]:
    return [node for node in inner if not isinstance(node, str)]


def said(inner: tuple[Any, ...]) -> str:
    """All texts and the values of all attributes."""
    return " ".join(
        node if isinstance(node, str) else f"{' '.join(value for _, value in node[1])} {said(node[2])}"
        for node in inner
    )


def loose(inner: tuple[Any, ...], name: str, parent: str = "") -> list[str]:
    """Texts and attributes in which the name may turn around what stands beside it."""
    held = f"\u2068{name}\u2069"
    found = []
    for node in inner:
        if isinstance(node, str):
            if parent != "bdi" and name in node.replace(held, ""):
                found.append(node)
            continue
        tag, pairs, within = node
        found += [f"{tag} {key}={value}" for key, value in pairs if name in value.replace(held, "")]
        found += loose(within, name, tag)
    return found


def views(site: Site, name: str, language: str) -> tuple[str, dict[str, str]]:
    """Every view that shows people's names, as HTML, of a finished game, of one that runs and of a race; and the name
    as it was written down."""
    host, guest = (site.person(language) for _ in range(2))
    over, running = (host.open("tictactoe", name=name, hints="1") for _ in range(2))
    for table in (over, running):
        assert guest.take(table, name=name).status_code == 303
    shared = host.open("secret", name=name, **{"with": "screen"})
    host.do(over, "resign")
    race = host.post(f"/{language}/tables", {"spec": "orapa", "racers": "2", "name": name})
    assert race.status_code == 303
    path = race.headers["location"]
    assert guest.post(f"{path}/join", {"name": name}).status_code == 303
    raced = {"race": host.get(path), "race list": guest.get(f"{path}/list")}
    for person in (host, guest):
        (seat,) = re.findall(rf'href="(/{language}/t/[^"]+)"', person.get(f"{path}/list").text)
        person.post(f"{seat}/do", {"do": "resign"})
    asked = {
        "mine": host.get(f"/{language}/mine"),
        "mine list": guest.get(f"/{language}/mine/list"),
        "over": host.get(host.at(over)),
        "running": guest.get(guest.at(running)),
        "spectator": site.person(language).get(host.at(running)),
        "shared": host.get(host.at(shared)),
        "study": host.get(host.at(over, "/study")),
        "embed": host.get(f"/{language}/embed/t/{over}"),
        "paper": host.get(host.at(over, "/paper")),
        "sheet": host.get(host.at(over, "/paper/sheet.svg")),
        "picture": host.get(host.at(over, "/picture.svg")),
        "lend": host.post(host.at(running, "/lend")),
        "hint": host.post(host.at(running, "/hint")),
        **raced,
        "race over": host.get(path),
    }
    for view, answer in asked.items():
        assert answer.status_code == 200, (view, answer.text[:300])
    html = {view: answer.text for view, answer in asked.items()}
    for number, event in enumerate(host.history(over)):
        html |= {f"event {number} {part}": text for part, text in event.get("parts", {}).items()}
        html[f"event {number}"] = event.get("item", "")
    record = host.get(host.at(over, "/record")).text
    written = _names(site, over)[0]
    assert dict(parse(record).tags) == ({"seat1": written, "seat2": written} if written else {})
    return written, html


@pytest.fixture(scope="module")
def plain() -> dict[str, dict[str, tuple[Any, ...]]]:
    """The elements of each view where people have names as most have, by language."""
    return {}


@pytest.mark.parametrize("name", NAMES)
def test_every_view_has_the_same_elements_whatever_people_are_called(
    site: Site, plain: dict[str, dict[str, tuple[Any, ...]]], name: str
) -> None:
    language = LANGUAGES[NAMES.index(name) % len(LANGUAGES)]
    if language not in plain:
        _, html = views(site, INNOCENT, language)
        plain[language] = {view: skeleton(nodes(text)) for view, text in html.items()}
    written, html = views(site, name, language)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", written)
    shown = {view for view, text in html.items() if written in said(nodes(text))}
    assert {"mine", "over", "running", "spectator", "shared", "race", "race list", "race over"} <= shown
    for view, text in html.items():
        assert skeleton(nodes(text)) == plain[language][view], view
        assert loose(nodes(text), written) == [], view


def echoed(site: Site, text: str, language: str) -> dict[str, httpx.Response]:
    """Every page that shows again what somebody sent."""
    person = site.person(language)
    at = f"/{language}"
    return {
        "check": person.get(f"{at}/check", params={"text": text, "salt": text[:64], "hash": text[:128]}),
        "spec": person.get(f"{at}/new/tictactoe", params={"spec": text[:4000]}),
        "value": person.get(f"{at}/new/tictactoe", params={"spec": f"tictactoe:shape={text[:3900]}"}),
        "code": person.get(f"{at}/new/orapa", params={"code": text[:200]}),
        "set-up": person.post(f"{at}/tables", {"family": "tictactoe", "shape": text, "line": "x", "code": text}),
        "bring": person.get(f"{at}/t/{person.open('tictactoe')}/bring", params={"code": text[:64]}),
        "pasted": person.post(f"{at}/study", {"spec": "tictactoe", "text": f"[{text}"}),
        "tag": person.post(f"{at}/study", {"spec": "tictactoe", "text": f'[game "{text}"]\n\n*'}),
        "studied": person.get(f"{at}/study", params={"spec": text[:4000]}),
        "moves": person.get(f"{at}/study", params={"spec": "tictactoe", "moves": text}),
        "printed": person.get(f"{at}/paper/position", params={"spec": "tictactoe", "position": text}),
        "nowhere": person.get(f"{at}/nowhere", params={"x": text}, headers={"Referer": "javascript:hit=1"}),
    }


@pytest.mark.parametrize("text", [text for text in TYPED if not re.search("[\ud800-\udfff]", text)])
def test_what_is_sent_is_shown_again_as_text(
    site: Site, plain: dict[str, dict[str, tuple[Any, ...]]], text: str
) -> None:
    language = LANGUAGES[TYPED.index(text) % len(LANGUAGES)]
    key = f"echo {language}"
    if key not in plain:
        plain[key] = {view: skeleton(nodes(one.text)) for view, one in echoed(site, "?", language).items()}
    for view, answer in echoed(site, text, language).items():
        assert answer.status_code in (200, 404, 422), view
        assert skeleton(nodes(answer.text)) == plain[key][view], view
        refused = " ".join(re.findall('<(?:p|h1)[^>]*role="alert"[^>]*>([^<]*)<', answer.text))
        assert not re.search("[\x00-\x1f\u202a-\u202e\u2066-\u2069]", refused), view
        assert not re.search('(?:href|src|action)="(?:javascript|data):', answer.text), view
