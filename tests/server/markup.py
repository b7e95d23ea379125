"""What a served page says, read from its HTML: marks and places of the board, attributes, texts, addresses."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

Node = tuple[str, tuple[tuple[str, str], ...], tuple[Any, ...]]
"""A tag, its attributes in order of their names, and what is in it: nodes and texts."""

_VOID = {"meta", "link", "input", "br", "hr", "img", "use", "path", "circle", "polygon"}


class _Tree(HTMLParser):
    """Keeps the whole tree; our pages close every tag that isn't void."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str], list[Any]]] = [("", {}, [])]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append((tag, {name: value or "" for name, value in attrs}, []))
        if tag in _VOID:
            self._close()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append((tag, {name: value or "" for name, value in attrs}, []))
        self._close()

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open[-1][0] == tag, f"</{tag}> closes <{self.open[-1][0]}>"
            self._close()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.open[-1][2].append(data.strip())

    def _close(self) -> None:
        tag, attributes, inner = self.open.pop()
        self.open[-1][2].append((tag, tuple(sorted(attributes.items())), tuple(inner)))


def nodes(html: str) -> tuple[Any, ...]:
    """The nodes of a page or a piece of one. Fails where tags don't match."""
    tree = _Tree()
    tree.feed(html)
    tree.close()
    assert len(tree.open) == 1, f"<{tree.open[-1][0]}> is never closed"
    return tuple(tree.open[0][2])


@dataclass
class Shown:
    """A table's page."""

    attributes: dict[str, str] = field(default_factory=dict)
    marks: dict[str, Node] = field(default_factory=dict)
    places: dict[str, list[str | int]] = field(default_factory=dict)
    addresses: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parts: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    items: tuple[Any, ...] = ()
    said: str = ""

    def walk(self, inner: tuple[Any, ...]) -> None:
        """Take in nodes and what is in them."""
        for node in inner:
            if not isinstance(node, str):
                self._take(node)
                self.walk(node[2])

    def _take(self, node: Node) -> None:
        tag, pairs, inner = node
        at = dict(pairs)
        self.tags.append(tag)
        self.addresses += [at[name] for name in ("href", "src", "action", "data-at", "data-socket") if name in at]
        if tag == "kletka-table":
            self.attributes = at
        if part := at.get("data-part"):
            self.parts[part] = inner
        if "data-moves" in at:
            self.items = inner
        if "data-say" in at:
            self.said = "".join(inner)
        if key := at.pop("data-m", None):
            self.marks[key] = (tag, tuple(sorted(at.items())), inner)
        if name := at.get("data-place"):
            opens: str | int = 0 if "aria-disabled" in at else at.get("data-sends", 1)
            more = [at.get("data-lights", ""), at.get("data-then", "")]
            while more and not more[-1]:
                more.pop()
            self.places[name] = [at["aria-label"], opens, *more]


def shown(html: str) -> Shown:
    """A page, read."""
    page = Shown()
    page.walk(nodes(html))
    return page


@dataclass
class Board:
    """A board as the page's script keeps it: a snapshot or a history from 0, then event after event."""

    version: int = -1
    marks: dict[str, Node] = field(default_factory=dict)
    places: dict[str, list[str | int]] = field(default_factory=dict)
    parts: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    items: tuple[Any, ...] = ()
    said: str = ""
    to: int | None = None
    base: int = 0
    snapshots: int = 0

    def hear(self, message: dict[str, Any]) -> None:
        """Apply an event or a snapshot; old events and answers change nothing."""
        whole = "whole" in message
        if "v" not in message or (message["v"] <= self.version and not whole):
            return
        assert whole or message["v"] == self.version + 1, "an event is missing"
        if whole:
            self.snapshots += 1
            self.marks = {}
        for key, drawn in message["marks"].items():
            if drawn is None:
                del self.marks[key]
            else:
                (self.marks[key],) = nodes(drawn)
        self.places |= message["places"]
        listed = nodes(message["items"]) if "items" in message else self.items
        self.items = listed + nodes(message.get("item", ""))
        self.parts |= {name: nodes(html) for name, html in message.get("parts", {}).items()}
        self.version, self.said = message["v"], message["say"]
        self.to, self.base = message["to"], message["base"]

    def same(self, html: str) -> None:
        """Assert that a page served now shows what this board shows."""
        page = shown(html)
        at = page.attributes
        assert (at["data-version"], at["data-base"]) == (str(self.version), str(self.base))
        assert at["data-to"] == ("" if self.to is None else str(self.to))
        assert page.marks == self.marks
        assert page.places == self.places
        assert page.items == self.items
        assert page.said == self.said
        for name, inner in self.parts.items():
            assert page.parts[name] == inner, name
