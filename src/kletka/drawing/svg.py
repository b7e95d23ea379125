"""The one SVG renderer: page, live fragments, notebooks, documents and print.

Presentation by classes and attributes only (the page's security policy forbids style attributes). Nodes carry
`data-place` and `data-m`, never ids, so that two boards can stand on one page; only symbols have ids, once a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from typing import NamedTuple

from kletka.drawing import pencil
from kletka.drawing.scene import (
    HATCHES,
    LAYERS,
    SIGNS,
    UNIT,
    Dot,
    Fill,
    Frame,
    Hatch,
    Label,
    Last,
    Line,
    Mark,
    Outline,
    Panel,
    Piece,
    Point,
    Scene,
    Sign,
    Trail,
)

LIGHT = ("#1f4fa3", "#b3261e", "#1c6b3a", "#6a3d9a", "#a64b00", "#3b3a38")
FILLS = {
    "transparent": "#e4f1f5",
    "red": "#d8433c",
    "yellow": "#f4c430",
    "blue": "#2f62b5",
    "white": "#ffffff",
    "orange": "#ef8f35",
    "purple": "#7d3c98",
    "green": "#3c8a4a",
    "pink": "#f4b3bd",
    "lemon": "#fbf08a",
    "skyblue": "#9fd0ea",
    "lightorange": "#fbd3a6",
    "lightpurple": "#d3bde6",
    "lightgreen": "#b4e0ac",
    "black": "#262525",
    "grey": "#8f8f8f",
    "absorbed": "#0f1a3c",
}
"""The tints by name; the page's style has the same."""
DARK = ("red", "blue", "purple", "green", "black", "absorbed")
"""Tints that carry white letters."""
SHEET, PENCIL, QUIET, RULED = "#fbf8f0", "#3b3a38", "#5d5a50", "#a9c3d6"
FONTS = "'DejaVu Sans','Liberation Sans','Noto Sans',Roboto,Arial,Helvetica,sans-serif"
"""Of letters in files; programs that draw files often know no `sans-serif`."""


class Spoken(NamedTuple):
    """A place's name in the viewer's language, and what `Name` says of pressing and pointing at it."""

    name: str
    sends: str | None
    lights: tuple[str, ...] = ()
    then: tuple[str, ...] = ()


class Box(NamedTuple):
    """A rectangle of a picture."""

    x: float
    y: float
    width: float
    height: float


def _ink(seat: int | None) -> str:
    return "" if seat is None else f"s{seat}"


def _classes(*names: str) -> str:
    joined = " ".join(filter(None, names))
    return f' class="{joined}"' if joined else ""


@lru_cache(maxsize=8192)
def fragment(mark: Mark) -> str:
    """A mark as SVG elements (paths without fill; classes give ink)."""
    match mark:
        case Line((x, y), (u, v), _, "ruled"):
            return f'<path class="ruled" d="M{x} {y}L{u} {v}"/>'
        case Line(start, end, seat, weight):
            return f'<path{_classes(weight, _ink(seat))} d="{pencil.line(start, end)}"/>'
        case Sign((x, y), sign, seat, size):
            half = size // 2
            # A small sign is drawn with the same pencil: its stroke doesn't shrink with it.
            stroke = f' stroke-width="{600 // size}"' if size < UNIT else ""
            box = f'x="{x - half}" y="{y - half}" width="{size}" height="{size}"'
            return f'<use{_classes(_ink(seat))} href="#k-{sign}" {box}{stroke}/>'
        case Hatch(region, seat, holes, radius, gap):
            hatched = pencil.hatch(region, HATCHES[seat or 0], gap)
            drawn = f'<path{_classes("hatch", _ink(seat))} d="{hatched}"/>'
            clear = "".join(f'<circle class="hole" cx="{x}" cy="{y}" r="{radius}"/>' for x, y in holes)
            return f"<g>{drawn}{clear}</g>" if clear else drawn
        case Outline(region, seat, shaded):
            return f'<path{_classes("outline", "shaded" if shaded else "", _ink(seat))} d="{pencil.outline(region)}"/>'
        case Frame(polygon):
            return f'<path class="frame" d="{pencil.outline((polygon,))}"/>'
        case Last((x, y)):
            return f'<path class="last" d="{pencil.line((x - 24, y + 40), (x + 24, y + 40))}"/>'
        case Label((x, y), text, size, seat):
            at = f'x="{x}" y="{y + round(size * 0.36)}" font-size="{size}"'
            return f"<text{_classes('label', _ink(seat))} {at}>{escape(text)}</text>"
        case Dot((x, y)):
            return f'<circle class="dot" cx="{x}" cy="{y}" r="8"/>'
        case Fill(region, tint, texts, _, faint):
            shape = f'<path d="{pencil.outline(region)}"/>'
            said = "".join(
                f'<text x="{x}" y="{y + round(size * 0.36)}" font-size="{size}">{escape(text)}</text>'
                for text, (x, y), size in texts
            )
            return f"<g{_classes('fill', f't-{tint}', 'faint' if faint else '')}>{shape}{said}</g>"
        case Trail(points, lost):
            way = "".join(pencil.line(a, b) for a, b in pairwise(points))
            return f'<path class="trail" d="{way}{pencil.end(points[-2], points[-1], lost)}"/>'


def stroke(panel: Panel) -> str:
    """The pencil's width in units: it grows with the panel, so that lines look alike on every board."""
    return f"{3.5 + panel.width / 280:.1f}"


@cache
def symbols() -> str:
    """The signs, defined once a page."""
    drawn = "".join(
        f'<symbol id="k-{sign}" viewBox="-50 -50 100 100" overflow="visible">'
        f'<path pathLength="1" d="{pencil.sign(sign)}"/></symbol>'
        for sign in SIGNS
    )
    return f'<svg class="defs" aria-hidden="true" width="0" height="0">{drawn}</svg>'


def _key_parts(key: str) -> tuple[int, str]:
    panel, _, rest = key.partition(".")
    return int(panel), rest.partition("/")[0]


def _with_key(drawn: str, key: str) -> str:
    tag, space, rest = drawn.partition(" ") if not drawn.startswith("<g>") else ("<g", "", drawn[2:])
    return f'{tag} data-m="{escape(key)}"{space}{rest}'


def grouped(marks: Mapping[str, Mark], without: str = "") -> dict[tuple[int, str], str]:
    """The marks as SVG, by panel and layer, one layer left out if so named."""
    groups: dict[tuple[int, str], list[str]] = {}
    for key, mark in marks.items():
        if _key_parts(key)[1] == without:
            continue
        groups.setdefault(_key_parts(key), []).append(_with_key(fragment(mark), key))
    return {group: "".join(drawn) for group, drawn in groups.items()}


def _points(polygon: tuple[Point, ...]) -> str:
    return " ".join(f"{x},{y}" for x, y in polygon)


@lru_cache(maxsize=256)
def _static(marks: tuple[Mark, ...]) -> str:
    return "".join(map(fragment, marks))


def _drawn(panel: Panel, number: int, groups: Mapping[tuple[int, str], str]) -> str:
    front = _static(panel.front)
    parts = [f'<g class="back" aria-hidden="true">{_static(panel.back)}</g>']
    for layer in LAYERS:
        parts.append(
            f'<g class="{layer}" data-layer="{number}.{layer}" aria-hidden="true">{groups.get((number, layer), "")}</g>'
        )
        if layer == "line" and front:
            parts.append(f'<g class="front" aria-hidden="true">{front}</g>')
    return "".join(parts)


def panels(scene: Scene, marks: Mapping[str, Mark], names: Mapping[str, Spoken], titles: list[str]) -> list[str]:
    """The panels for a page: an `<svg>` each, with places to press and their spoken names."""
    groups = grouped(marks)
    made = []
    tabbed = False
    for number, panel in enumerate(scene.panels):
        places = []
        for place in panel.places:
            spoken = names[place.id]
            tab = "-1" if tabbed else "0"
            tabbed = True
            closed = "" if spoken.sends is not None else ' aria-disabled="true"'
            sends = f' data-sends="{escape(spoken.sends)}"' if spoken.sends not in (None, place.id) else ""
            sends += f' data-lights="{escape(" ".join(spoken.lights))}"' if spoken.lights else ""
            sends += f' data-lay="{escape(place.lay)}"' if place.lay else ""
            sends += f' data-then="{escape(" ".join(spoken.then))}"' if spoken.then else ""
            places.append(
                f'<polygon data-place="{escape(place.id)}"{sends} points="{_points(place.polygon)}" role="button" '
                f'tabindex="{tab}" aria-label="{escape(spoken.name)}"{closed}/>'
            )
        blocks = "".join(
            f'<polygon data-block="{escape(block.id)}" points="{_points(block.polygon)}"/>' for block in panel.blocks
        )
        under = f'<g class="blocks" aria-hidden="true">{blocks}</g>' if blocks else ""
        made.append(
            f'<svg class="panel" viewBox="0 0 {panel.width} {panel.height}" data-panel="{number}" '
            f'stroke-width="{stroke(panel)}" role="group" aria-label="{escape(titles[number])}">'
            f'{_drawn(panel, number, groups)}{under}<g class="places">{"".join(places)}</g></svg>'
        )
    return made


def forms(piece: Piece) -> list[str]:
    """A tray's piece in each of its forms, in squares of UNIT."""
    return [
        f'<svg class="piece" viewBox="0 0 {form.width * UNIT} {form.height * UNIT}" data-form="{number}" '
        f'stroke-width="7" aria-hidden="true">{_static(form.marks)}</svg>'
        for number, form in enumerate(piece.forms)
    ]


def swatch(mark: Mark) -> str:
    """A mark of a legend, in one square."""
    return f'<svg class="swatch" viewBox="0 0 {UNIT} {UNIT}" stroke-width="7" aria-hidden="true">{fragment(mark)}</svg>'


def _tints() -> str:
    """The tints for files; light ones carry dark letters and the other way round."""
    fills = "".join(f".t-{tint} path{{fill:{fill}}}" for tint, fill in FILLS.items())
    dark = ",".join(f".t-{tint} text" for tint in DARK)
    return (
        f"{fills}.fill text{{fill:#1d1c1a;stroke:none;text-anchor:middle;font-family:{FONTS};font-weight:600}}"
        f"{dark}{{fill:#fff}}.fill path{{stroke:{PENCIL};stroke-linejoin:round}}.faint{{opacity:.45}}"
        f".trail{{color:{LIGHT[3]};stroke-width:9}}"
    )


def _style() -> str:
    inks = "".join(f".s{i}{{color:{ink}}}" for i, ink in enumerate(LIGHT))
    return (
        f"<style>.sheet{{fill:{SHEET}}}g{{fill:none;stroke:currentColor;stroke-linecap:round;color:{PENCIL}}}"
        f"{inks}.hatch{{stroke-width:3.5;opacity:.8}}.hole{{fill:{SHEET};stroke:none}}.last{{color:{QUIET};opacity:.6}}"
        f".dot{{fill:{PENCIL};stroke:none}}"
        ".outline{stroke-width:12;stroke-linejoin:round}.shaded{fill:currentColor;fill-opacity:.1}"
        ".draft .outline{fill-opacity:.05;stroke-dasharray:26 22}"
        ".frame{stroke-width:9;stroke-linejoin:round;fill:currentColor;fill-opacity:.07}"
        f".draft .frame{{color:{LIGHT[1]};fill-opacity:.25;stroke-width:5}}.back .hatch{{opacity:.45}}"
        ".over use{opacity:.8}.area use{opacity:.4}.line [class]{stroke-width:11}"
        f".thin{{stroke-width:4;opacity:.6}}.heavy{{stroke-width:11}}.ruled{{stroke-width:4;color:{RULED}}}"
        f".label{{fill:currentColor;stroke:none;text-anchor:middle;font-family:{FONTS}}}"
        f".back .label{{color:{QUIET}}}{_tints()}</style>"
    )


def print_style() -> str:
    """Black alone: letters, hatches and signs tell what inks and tints tell elsewhere."""
    return (
        f"<style>text{{font-family:{FONTS};fill:#000;stroke:none}}.sheet{{fill:#fff}}"
        "g{fill:none;stroke:#000;color:#000;stroke-linecap:round}.hatch{stroke-width:3.5}.hole{fill:#fff;stroke:none}"
        ".dot{fill:#000;stroke:none}.outline{stroke-width:12;stroke-linejoin:round}"
        ".draft .outline{stroke-dasharray:26 22}"
        ".frame{stroke-width:9;stroke-linejoin:round}.line [class]{stroke-width:11}.thin,.ruled{stroke-width:3}"
        ".heavy{stroke-width:11}.label,.fill text{text-anchor:middle}.fill text{font-weight:600}"
        ".fill path{fill:#fff;stroke-linejoin:round}.trail{stroke-width:9}.over use{stroke-width:2.5}</style>"
    )


def nested(
    panel: Panel,
    number: int,
    groups: Mapping[tuple[int, str], str],
    at: Box,
    view: Box | None = None,
    pen: str = "",
) -> str:
    """A panel as an inner `<svg>` at a place of another picture; of the panel only `view`, where it is given, and with
    another stroke than its own if `pen` says so."""
    x, y, width, height = (f"{side:.6g}" for side in at)
    seen = view or Box(0, 0, panel.width, panel.height)
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{" ".join(f"{side:.6g}" for side in seen)}" '
        f'stroke-width="{pen or stroke(panel)}">{_drawn(panel, number, groups)}</svg>'
    )


def _nested(
    scene: Scene, marks: Mapping[str, Mark], titles: Sequence[str], columns: int | None, numbers: bool = False
) -> tuple[str, Point]:
    """The panels as inner `<svg>` side by side, the first at the left, titles above; and the size of them all."""
    groups = grouped(marks, "" if numbers else "number")
    across = columns or min(len(scene.panels), 4)
    gap = UNIT // 2
    head = UNIT // 2 if titles else 0
    width = max(panel.width for panel in scene.panels)
    height = max(panel.height for panel in scene.panels) + head
    down = -(-len(scene.panels) // across)
    parts = []
    for number, panel in enumerate(scene.panels):
        x, y = (number % across) * (width + gap), (number // across) * (height + gap)
        if titles:
            parts.append(
                f'<g class="back"><text class="label" x="{x + panel.width // 2}" y="{y + 40}" font-size="40">'
                f"{escape(titles[number])}</text></g>"
            )
        parts.append(nested(panel, number, groups, Box(x, y + head, panel.width, panel.height)))
    return "".join(parts), (across * (width + gap) - gap, down * (height + gap) - gap)


def inline(scene: Scene, marks: Mapping[str, Mark], titles: Sequence[str] = (), columns: int | None = None) -> str:
    """A picture inside a page that has the symbols and the style; a caption or link beside it says what it is."""
    drawn, (width, height) = _nested(scene, marks, titles, columns)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{round(width * 0.45)}" height="{round(height * 0.45)}" '
        f'aria-hidden="true">{drawn}</svg>'
    )


def standalone(scene: Scene, marks: Mapping[str, Mark], title: str = "", numbers: bool = False) -> str:
    """A file of its own, with style and symbols inside; with the marks' numbers if wanted."""
    drawn, (width, height) = _nested(scene, marks, (), None, numbers)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{round(width * 0.45)}" '
        f'height="{round(height * 0.45)}" role="img" aria-label="{escape(title)}">{_style()}{symbols()}'
        f'<rect class="sheet" width="{width}" height="{height}"/>{drawn}</svg>'
    )


def icon(*, maskable: bool = False, turn: bool = False) -> str:
    """The house's icon: a cross in a square of squared paper; or on a sheet that may be cut to any shape; with a dot
    where it is somebody's turn."""
    # Whoever cuts keeps the inner four fifths of a circle.
    edge = "" if maskable else ' rx="14"'
    move = ' transform="translate(17 17) scale(.66)"' if maskable else ""
    dot = f'<circle cx="76" cy="24" r="21" fill="{LIGHT[1]}" stroke="{SHEET}" stroke-width="6"/>' if turn else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100"{edge} '
        f'fill="{SHEET}"/><g fill="none" stroke-linecap="round" stroke-width="7"{move}><path stroke="{PENCIL}" '
        f'd="{pencil.line((12, 12), (12, 88))}{pencil.line((88, 12), (88, 88))}{pencil.line((12, 12), (88, 12))}'
        f'{pencil.line((12, 88), (88, 88))}"/><path stroke="{LIGHT[0]}" transform="translate(50 50)" '
        f'd="{pencil.sign("cross")}"/></g>{dot}</svg>'
    )
