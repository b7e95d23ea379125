"""What is wrong with an outline: symmetry, edges, holes and boundaries that interlock, each with its squares."""

from __future__ import annotations

from functools import lru_cache

from kletka.games.crystals.board import Board, Spot
from kletka.games.crystals.paper import Paper, convex

_DIAGONAL = 4
"""Axes."""


def images(spot: Spot, middle: Spot, axes: int) -> list[Spot | None]:
    """Where folding along each axis takes a square; `middle` in half squares. None: onto no square."""
    (x, y), (mx, my) = spot, middle
    folded: list[Spot | None] = [(mx - x, y), (x, my - y)]
    if axes == _DIAGONAL:
        # The diagonals of a middle on an edge take squares to between squares.
        even = (mx + my) % 2 == 0
        down = (2 * y - my + mx) // 2, (2 * x - mx + my) // 2
        up = (mx + my) // 2 - y, (mx + my) // 2 - x
        folded += [down, up] if even else [None, None]
    return folded


def orbit(board: Board, axes: int, middle: Spot, square: int) -> int:
    """A square with all its images, those that are squares of the board."""
    found = {board.spot(square)}
    fresh = list(found)
    while fresh:
        more = [image for image in images(fresh.pop(), middle, axes) if image is not None and image not in found]
        found.update(more)
        fresh += more
    return board.of(found)


def middle_of(board: Board, mask: int) -> Spot:
    """The middle of an outline's bounding box, in half squares: first and last column added, first and last row."""
    spots = board.spots(mask)
    across, up = [x for x, _ in spots], [y for _, y in spots]
    return min(across) + max(across), min(up) + max(up)


def _lopsided(board: Board, mask: int, axes: int) -> int:
    """Squares that some axis takes to none of the outline."""
    spots, middle = board.spots(mask), middle_of(board, mask)
    return board.of(spot for spot in spots if not spots.issuperset(images(spot, middle, axes)))


def _loose(board: Board, mask: int) -> int:
    """Squares that no edges join to the largest part; all of them where several parts are the largest."""
    parts, rest = [], mask
    while rest:
        parts.append(board.joined(rest & -rest, rest))
        rest &= ~parts[-1]
    most = max(part.bit_count() for part in parts)
    largest = [part for part in parts if part.bit_count() == most]
    return mask & ~largest[0] if len(largest) == 1 else mask


def holes(board: Board, mask: int) -> tuple[set[Spot], ...]:
    """The regions that an outline cuts off from the outside by edges, whatever they hold."""
    spots = board.spots(mask)
    across, up = [x for x, _ in spots], [y for _, y in spots]
    rest = {
        (x, y)
        for x in range(min(across) - 1, max(across) + 2)
        for y in range(min(up) - 1, max(up) + 2)
        if (x, y) not in spots
    }
    regions = []
    while rest:
        region, fresh = set(), [min(rest)]
        rest.remove(fresh[0])
        while fresh:
            x, y = spot = fresh.pop()
            region.add(spot)
            near = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & rest
            rest -= near
            fresh += near
        regions.append(region)
    # The first region holds the corner of the frame around the outline.
    return tuple(regions[1:])


def _around_holes(board: Board, mask: int) -> int:
    """The squares of the holes; where those are cut out of the board, the squares around them."""
    inside = {spot for hole in holes(board, mask) for spot in hole}
    if found := board.of(inside):
        return found
    near = {(x + dx, y + dy) for x, y in inside for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))}
    return board.of(near) & mask


@lru_cache(maxsize=4096)
def flaws(paper: Paper, mask: int) -> tuple[tuple[str, int], ...]:
    """Every reason against an outline's shape, each with the squares concerned; empty where it is a crystal's.

    Interlocking is looked for in outlines that are symmetric, joined and without holes: in others atoms can't walk
    to the centre for these reasons.
    """
    board, axes = paper.board, paper.axes
    found = (
        ("not_symmetric", _lopsided(board, mask, axes)),
        ("not_joined", _loose(board, mask)),
        ("hole", _around_holes(board, mask)),
    )
    if bad := tuple((code, squares) for code, squares in found if squares):
        return bad
    if paper.interlock:
        return ()
    centre = paper.centre_by_middle.get(middle_of(board, mask))
    walking = max(convex(paper, centre, ~mask), key=int.bit_count, default=0)
    return (("interlock", mask & ~walking),) if walking != mask else ()
