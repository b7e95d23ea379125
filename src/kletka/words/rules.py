"""Rules pages: our own words in Markdown; a diagram is a fenced block that names a position for drawing.

The block's first line is `position SPEC`, then the position text, then its caption:

    ```position tictactoe
    x.o/.x./... last=b2
    A caption.
    ```

`last=` and the moves to mark may follow the position, and `draft=` with the text of a draft to show.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kletka.words.catalogue import folders, say


@dataclass(frozen=True)
class Prose:
    """Finished HTML of our own text."""

    html: str


@dataclass(frozen=True)
class Diagram:
    """A position to draw: spec, position text, moves of the last turn, a caption in plain text, and the text of a draft
    (empty: none)."""

    spec: str
    position: str
    last: tuple[str, ...]
    caption: str
    draft: str = ""


Block = Prose | Diagram


def _diagram(spec: str, body: str) -> Diagram:
    position, _, caption = body.strip().partition("\n")
    words = position.split(" ")
    last = tuple(move for word in words if word.startswith("last=") for move in word[5:].split(","))
    draft = "".join(word[6:] for word in words if word.startswith("draft="))
    kept = " ".join(word for word in words if not word.startswith(("last=", "draft=")))
    return Diagram(spec, kept, last, caption.strip(), draft)


def _source(language: str, family: str) -> str:
    for folder in folders():
        place = folder / language / f"{family}.md"
        if place.is_file():
            return place.read_text("utf-8")
    raise FileNotFoundError(f"no rules page for {family} in {language}")


@cache
def rules(language: str, family: str) -> tuple[Block, ...]:
    """The rules page of a family as blocks in order. Raises FileNotFoundError where there is none."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    # A wide table scrolls by itself, by keyboard too.
    label = say(language, "page.table")
    opening = f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>'
    markdown.add_render_rule("table_open", lambda *_: opening)
    markdown.add_render_rule("table_close", lambda *_: "</table></div>")
    blocks: list[Block] = []
    pending: list[Token] = []
    for token in markdown.parse(_source(language, family)):
        kind, _, spec = token.info.partition(" ")
        if token.type == "fence" and kind == "position":
            if pending:
                blocks.append(Prose(markdown.renderer.render(pending, markdown.options, {})))
                pending = []
            blocks.append(_diagram(spec, token.content))
        else:
            pending.append(token)
    if pending:
        blocks.append(Prose(markdown.renderer.render(pending, markdown.options, {})))
    return tuple(blocks)
