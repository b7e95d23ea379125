"""Jinja2 templates, with the catalogues at hand: `{{ t("page.home") }}` speaks the page's language."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from kletka import words
from kletka.drawing.svg import symbols
from kletka.lessons import lesson
from kletka.version import commit, version


@pass_context
def _say(context: Context, word: str, **facts: int | str) -> str:
    return words.say(str(context["lang"]), word, **facts)


@cache
def _manifest() -> dict[str, Any]:
    """What the page's build wrote, by source."""
    written = files("kletka.server") / "static" / "manifest.json"
    manifest: dict[str, Any] = json.loads(written.read_text("utf-8"))
    return manifest


def built_files() -> list[str]:
    """Addresses of all built files that pages may load."""
    named = [name for entry in _manifest().values() for name in (entry["file"], *entry.get("css", ()))]
    return sorted({f"/static/{name}" for name in named if name.startswith("assets/")})


@cache
def built() -> dict[str, str]:
    """Addresses of the built script and style sheet."""
    entry = _manifest()["src/main.ts"]
    return {"script": f"/static/{entry['file']}", "style": f"/static/{entry['css'][0]}"}


@cache
def environment() -> Environment:
    """The templates; everything is escaped, and a missing value is an error."""
    made = Environment(
        loader=PackageLoader("kletka.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    says: Callable[..., str] = _say
    made.globals |= {
        "t": says,
        "isolated": words.isolated,
        "languages": words.LANGUAGES,
        "symbols": Markup(symbols()),  # noqa: S704 (our own drawing)
        "version": version(),
        "commit": commit(),
        "built": built,
        "lesson": lesson,
    }
    # Imported once: importing them into each template that is filled in takes longer than that template.
    signs = made.get_template("signs.html").module
    made.globals |= {name: getattr(signs, name) for name in ("sign", "ink")}
    return made


def render(template: str, **values: Any) -> str:
    """A template filled in; `lang` must be among the values."""
    return environment().get_template(template).render(**values)
