"""The pencil: lines, rings and hatching with a slight unevenness that depends only on the place.

All results are path data with integer coordinates, relative after the first point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

Point = tuple[float, float]
_UNIT = 100
_MASK = 0xFFFFFFFF


def rnd(seed: str, k: int) -> float:
    """A number in -1..1 that depends on seed and k alone: the same on every machine and in every picture."""
    x = crc32(f"{seed}#{k}".encode())
    for _ in range(2):
        x ^= x >> 16
        x = x * 0x45D9F3B & _MASK
    x ^= x >> 16
    return x / 0x7FFFFFFF - 1


def _curve(points: Sequence[Point]) -> str:
    """A Catmull-Rom curve through the points as relative cubic segments."""
    at = (round(points[0][0]), round(points[0][1]))
    parts = [f"M{at[0]} {at[1]}"]
    for i in range(len(points) - 1):
        p0, p1, p2 = points[max(i - 1, 0)], points[i], points[i + 1]
        p3 = points[min(i + 2, len(points) - 1)]
        controls = (
            (p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6),
            (p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6),
            p2,
        )
        moved = [(round(x) - at[0], round(y) - at[1]) for x, y in controls]
        parts.append("c" + " ".join(f"{x} {y}" for x, y in moved).replace(" -", "-"))
        at = (round(p2[0]), round(p2[1]))
    return "".join(parts)


@lru_cache(maxsize=16384)
def line(start: Point, end: Point) -> str:
    """A drawn line: it overshoots its ends a little and its middle wavers, both by what the sorted ends say."""
    seed = str(sorted((start, end)))
    length = math.dist(start, end)
    if length == 0:
        return f"M{round(start[0])} {round(start[1])}h1"
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    inner = 2 if length <= _UNIT else round(2 + 2 * math.log2(length / _UNIT))
    waver = 2.5 * (1 + 0.25 * math.log2(max(1.0, length / _UNIT)))
    points = []
    for i in range(inner + 2):
        along = length * i / (inner + 1)
        across = waver * rnd(seed, i)
        if i in (0, inner + 1):
            across /= 2
            over = 2 * (1 + rnd(seed, 50 + i))
            along += over if i else -over
        points.append((start[0] + ux * along - uy * across, start[1] + uy * along + ux * across))
    return _curve(points)


def end(before: Point, last: Point, lost: bool) -> str:
    """The end of a way that comes from `before`: an arrow's head, or a bar across where the way is `lost`."""
    length = math.dist(before, last) or 1
    ux, uy = (last[0] - before[0]) / length, (last[1] - before[1]) / length
    back = 0 if lost else 24
    left, right = [(last[0] - back * ux - side * uy, last[1] - back * uy + side * ux) for side in (18, -18)]
    return line(left, right) if lost else line(left, last) + line(last, right)


@lru_cache(maxsize=4096)
def ring(centre: Point, radius: float) -> str:
    """A ring drawn in one go; its ends overlap a little."""
    seed = f"{centre}{radius}"
    first = 0.6 * rnd(seed, 99)
    points = []
    for i in range(10):
        angle = first + i * (2 * math.pi + 0.25) / 9
        r = radius * (1 + 0.03 * rnd(seed, i))
        points.append((centre[0] + r * math.sin(angle), centre[1] - r * math.cos(angle)))
    return _curve(points)


@lru_cache(maxsize=1024)
def outline(region: tuple[tuple[Point, ...], ...]) -> str:
    """One closed line around each part (and hole) of a region of polygons that all turn the same way."""
    after: dict[Point, list[Point]] = {}
    edges = {edge for polygon in region for edge in zip(polygon, (*polygon[1:], polygon[0]), strict=True)}
    for start, end in sorted(edges):
        if (end, start) not in edges:
            after.setdefault(start, []).append(end)
    parts = []
    while after:
        at = first = min(after)
        loop = []
        while at in after:
            loop.append(at)
            following = after[at]
            at = following.pop()
            if not following:
                del after[loop[-1]]
            if at == first:
                break
        parts.append(_loop(loop))
    return "".join(parts)


def _loop(corners: Sequence[Point]) -> str:
    """Corners are moved a little, each by what its place says, and long sides waver, so that sides always meet."""
    points: list[Point] = []
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        low, high = sorted((a, b))
        seed = f"{low}{high}"
        length = math.dist(low, high)
        ux, uy = (high[0] - low[0]) / length, (high[1] - low[1]) / length
        knots = max(0, round(length / 50) - 1)
        inner = []
        for i in range(knots):
            along, across = length * (i + 1) / (knots + 1), 2.5 * rnd(seed, i)
            inner.append((low[0] + ux * along - uy * across, low[1] + uy * along + ux * across))
        corner = (a[0] + 2 * rnd(f"{a}", 0), a[1] + 2 * rnd(f"{a}", 1))
        points += [corner, *(inner if a == low else reversed(inner))]
    at = (round(points[0][0]), round(points[0][1]))
    parts = [f"M{at[0]} {at[1]}"]
    for x, y in points[1:]:
        parts.append(f"l{round(x) - at[0]} {round(y) - at[1]}".replace(" -", "-"))
        at = (round(x), round(y))
    return "".join(parts) + "z"


_ANGLES = {"/": (45,), "\\": (-45,), "|": (90,), "-": (0,), "x": (45, -45)}


@lru_cache(maxsize=1024)
def hatch(region: tuple[tuple[Point, ...], ...], style: str, gap: int = 20) -> str:
    """Rough shading of a region of convex polygons. Lines lie on one lattice for the whole sheet."""
    if style == ".":
        return _dots(region, gap)
    return "".join(_hatch_one(region, math.radians(angle), gap) for angle in _ANGLES[style])


def _hatch_one(region: tuple[tuple[Point, ...], ...], angle: float, gap: int) -> str:
    ux, uy = math.cos(angle), -math.sin(angle)
    runs: dict[int, list[tuple[float, float]]] = {}
    for polygon in region:
        flat = [(x * ux + y * uy, -x * uy + y * ux) for x, y in polygon]
        lowest, highest = min(v for _, v in flat), max(v for _, v in flat)
        for k in range(math.ceil((lowest + 4) / gap), math.floor((highest - 4) / gap) + 1):
            cut = _cut(flat, k * gap + 2 * rnd(f"{angle:.3f}", k))
            if cut:
                runs.setdefault(k, []).append(cut)
    parts = []
    for k, cuts in sorted(runs.items()):
        for low, high in _merged(cuts):
            seed = f"{angle:.3f}/{k}/{round(low)}"
            a, b = low + 8 + 3.5 * rnd(seed, 0), high - 8 - 3.5 * rnd(seed, 1)
            if b - a < 6:
                continue
            v = k * gap + 2 * rnd(f"{angle:.3f}", k)
            va, vb = v + 1.4 * rnd(seed, 2), v + 1.4 * rnd(seed, 3)
            x0, y0 = round(a * ux - va * uy), round(a * uy + va * ux)
            x1, y1 = round(b * ux - vb * uy), round(b * uy + vb * ux)
            bow = 1 + rnd(seed, 4)
            mx, my = round((x1 - x0) / 2 - bow * uy), round((y1 - y0) / 2 + bow * ux)
            parts.append(f"M{x0} {y0}q{mx} {my} {x1 - x0} {y1 - y0}".replace(" -", "-"))
    return "".join(parts)


def _cut(polygon: Sequence[Point], v: float) -> tuple[float, float] | None:
    hits = []
    for (ua, va), (ub, vb) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (va <= v) != (vb <= v):
            hits.append(ua + (ub - ua) * (v - va) / (vb - va))
    return (min(hits), max(hits)) if len(hits) > 1 else None


def _merged(cuts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for low, high in sorted(cuts):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _dots(region: tuple[tuple[Point, ...], ...], gap: int) -> str:
    parts = []
    for polygon in region:
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        for row in range(math.ceil((min(ys) + 8) / gap), math.floor((max(ys) - 8) / gap) + 1):
            cut = _cut([(x, y) for x, y in polygon], row * gap)
            for k in range(math.ceil(min(xs) / gap), math.floor(max(xs) / gap) + 1):
                if cut and cut[0] + 8 <= k * gap <= cut[1] - 8:
                    seed = f"{k},{row}"
                    parts.append(f"M{k * gap + round(2 * rnd(seed, 0))} {row * gap + round(2 * rnd(seed, 1))}h1")
    return "".join(parts)


def _joined(points: Sequence[Point]) -> str:
    closed = [*points, points[0]]
    return "".join(line(a, b) for a, b in pairwise(closed))


def sign(name: str) -> str:
    """The path of a sign in a square of 100 units whose centre is 0, 0."""
    if name == "cross":
        return line((-30, -30), (30, 30)) + line((30, -30), (-30, 30))
    if name == "nought":
        return ring((0, 0), 32)
    if name == "triangle":
        return _joined([(0, -34), (32, 26), (-32, 26)])
    if name == "diamond":
        return _joined([(0, -36), (30, 0), (0, 36), (-30, 0)])
    if name == "square":
        return _joined([(-27, -27), (27, -27), (27, 27), (-27, 27)])
    arms = [(36 * math.sin(i * 4 * math.pi / 5), -36 * math.cos(i * 4 * math.pi / 5)) for i in range(5)]
    return _joined([(round(x), round(y)) for x, y in arms])
