"""The one text renderer: a position in letters, for terminals and for the text twin of a board."""

from __future__ import annotations

from collections.abc import Mapping

from kletka.drawing.scene import Fill, Label, Mark, Outline, Sign, Slot, TextPlan

_LETTERS = {"cross": "x", "nought": "o", "triangle": "t", "diamond": "d", "square": "s", "star": "*"}


def _letter(slot: Slot, mark: Mark | None) -> str:
    match mark:
        case Sign():
            return _LETTERS[mark.sign]
        case Label():
            return mark.text
        case Fill():
            parts = mark.letters.split(" ")
            return mark.letters if slot.part is None else parts[slot.part] if slot.part < len(parts) else slot.empty
        case Outline():
            return mark.letter
        case None:
            return slot.empty
        case _:
            return slot.line


def render(plan: TextPlan, marks: Mapping[str, Mark]) -> str:
    """The plan's rows with every slot filled by its mark, lines joined by newlines."""
    covered = {key: mark for mark in marks.values() if isinstance(mark, Outline) for key in mark.covers}
    seen = covered | dict(marks)
    return "\n".join(
        "".join(
            part
            if isinstance(part, str)
            else _letter(part, seen.get(part.key) or seen.get(part.under)).rjust(len(part.empty))
            for part in row
        ).rstrip()
        for row in plan
    )
