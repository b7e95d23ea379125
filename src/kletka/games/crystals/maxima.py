"""All maximal crystals of a seat, and whether anything can still be grown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kletka.games.crystals.board import Spot
from kletka.games.crystals.frontier import component, largest
from kletka.games.crystals.paper import Centre, Paper, convex


class Maximal(NamedTuple):
    """The largest crystal that a seat may see at a centre: its middle in half squares, its squares as a mask, how many
    of the seat's atoms it would hold.

    `exact` is False where interlocking is allowed and the search for a larger one was cut short.
    """

    middle: Spot
    squares: int
    atoms: int
    exact: bool = True

    @property
    def size(self) -> int:
        return self.squares.bit_count()


def maxima(
    paper: Paper, available: int, own: int, budget: int | None = None, centres: Sequence[Centre] | None = None
) -> Iterator[Maximal]:
    """Maximal outlines out of available squares, centre by centre in the paper's order: those of `least` squares or
    more, whatever atoms they hold.

    Where boundaries may interlock there is one a centre: the largest with enough atoms, or the largest where none has
    enough. `budget` then bounds the states looked at for each (None: the paper's); with 0 a centre whose free squares
    leave a hole gets what the other rule allows.
    """
    least, barred = paper.least, ~available
    for centre in paper.centres if centres is None else centres:
        found, exact = (
            _at(paper, centre, barred, own, budget) if paper.interlock else (convex(paper, centre, barred), True)
        )
        for mask in found:
            if mask.bit_count() >= least:
                yield Maximal(centre.middle, mask, (mask & own).bit_count(), exact)


def _at(paper: Paper, centre: Centre, barred: int, own: int, budget: int | None) -> tuple[list[int], bool]:
    """Where boundaries may interlock."""
    joined, whole = component(paper, centre, barred)
    if whole or joined.bit_count() < paper.least:
        return [joined], True
    budget = paper.budget if budget is None else budget
    cut = largest(paper, centre, joined, own, budget) if budget else None
    return (convex(paper, centre, barred), False) if cut is None else ([cut], True)


def fits(paper: Paper, available: int) -> bool:
    """Whether any crystal of `least` squares can be drawn out of these squares.

    Where boundaries may interlock no hole need be cut open: orbits added one by one from the innermost leave none
    before they are `least` squares or more, 8 at most.
    """
    if paper.axes == 4 and paper.least == 4:
        return _smallest(paper, available)
    if any(mask.bit_count() >= paper.least for centre in paper.centres for mask in convex(paper, centre, ~available)):
        return True
    joined = (component(paper, centre, ~available)[0] for centre in paper.centres if paper.interlock)
    return any(mask.bit_count() >= paper.least for mask in joined)


def _smallest(paper: Paper, available: int) -> bool:
    """Whether there is room for four squares in a square, or five in a plus: every crystal under four axes that has
    four squares or more holds one of them."""
    board = paper.board
    width = board.width
    right = available >> 1 & board.without_last_column
    above = available >> width
    if available & right & above & right >> width:
        return True
    left = available << 1 & board.without_first_column
    return bool(available & right & left & above & available << width)
