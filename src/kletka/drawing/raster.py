"""Pictures as PNG: an SVG file drawn in dots, with letters of a font of our own so that it needs none of the system."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

import resvg_py

NARROWEST, WIDEST = 640, 2000
"""Dots across."""
_FONTS = [str(files("font_roboto") / "files" / f"Roboto-{weight}.ttf") for weight in ("Regular", "Bold")]
_SIZE = re.compile(r'<svg [^>]*?viewBox="0 0 ([0-9.]+) ([0-9.]+)"')


def width_of(svg: str) -> int:
    """How many dots wide a picture becomes: as many as its squares need, within bounds."""
    found = _SIZE.match(svg)
    if not found:
        raise ValueError("no SVG file of ours")
    return round(max(NARROWEST, min(float(found[1]), WIDEST)))


@lru_cache(maxsize=32)
def png(svg: str) -> bytes:
    """An SVG file of ours as a PNG file."""
    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width_of(svg),
        skip_system_fonts=True,
        font_files=_FONTS,
        sans_serif_family="Roboto",
    )
    return drawn
