"""Chains and loops of dots games, from the rules: what is offered, what is safe, what opening a string costs.

A coin that lacks two lines is a bead; beads joined by undrawn lines make strings, which end at the ground beyond the
border, at a coin that lacks more, or in themselves (Berlekamp, "The Dots and Boxes Game", 2000).
cpp/dots_strings.hpp has the same. Lines left are a mask throughout, bit i for line i.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kletka.games.dots import Dots

GROUND = -1
"""What lies beyond a line of the border."""


@dataclass(frozen=True, slots=True)
class String:
    """A chain or loop: how many coins it has, and the line to draw when it is opened (of two coins the middle one).

    `alone` chains have both ends at the ground; loops always stand alone.
    """

    coins: tuple[int, ...]
    loop: bool
    alone: bool
    opening: int

    @property
    def held(self) -> int:
        """How many of its coins a taker may leave to the other side."""
        if self.loop:
            return 4 if len(self.coins) > 3 else 0
        return 2 if len(self.coins) > 2 else 0


@dataclass(frozen=True, slots=True)
class Offer:
    """What taking all that is offered brings, and `rest`, the lines left after it.

    `taken` coins are taken whatever follows, beginning with the line `take`; then the last `held` ones (2 or 4, or
    none) may be taken too, or left to the other side by the line `leave`.
    """

    rest: int
    taken: int = 0
    held: int = 0
    take: int | None = None
    leave: int | None = None


def members(mask: int) -> Iterator[int]:
    """The bits of a mask, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lacking(game: Dots, left: int, coin: int) -> int:
    """How many lines a coin lacks."""
    return (left & game.coins[coin]).bit_count()


def offered(game: Dots, left: int) -> list[int]:
    """The coins that lack one line."""
    return [coin for coin, around in enumerate(game.coins) if (left & around).bit_count() == 1]


def quiet(game: Dots, left: int, fewest: int = 2) -> list[int]:
    """The lines that leave no coin beside them with less than `fewest` lines to draw."""
    full = {coin for coin, around in enumerate(game.coins) if (left & around).bit_count() > fewest}
    beside = game.board.beside
    return [line for line in members(left) if full.issuperset(beside[line])]


def strings(game: Dots, left: int) -> list[String]:
    """Every string, those of the first coins first."""
    found: list[String] = []
    seen: set[int] = set()
    for coin, around in enumerate(game.coins):
        if coin in seen or (left & around).bit_count() != 2:
            continue
        first, second = members(left & around)
        lines, beads, end = _walk(game, left, coin, first)
        loop = end == coin
        alone = loop
        if not loop:
            back, others, other_end = _walk(game, left, coin, second)
            alone = end == other_end == GROUND
            # The line between the first coin and one next to it, where there is one.
            lines = lines if beads else back
            beads += others
        seen.update(beads)
        found.append(String((coin, *beads), loop, alone, lines[0]))
    return found


def take_offer(game: Dots, left: int, coins: Iterable[int]) -> Offer:
    """Take in normal form what `coins`, those that may lack one line, offer.

    One half-open chain may keep its last two coins or, where there is none, one closed chain its last four; all
    else a taker takes without loss.
    """
    waiting = set(coins)
    taken = 0
    take: int | None = None
    while True:
        coin, keep = _next_to_take(game, left, waiting)
        if coin is None:
            break
        line = (left & game.coins[coin]).bit_length() - 1
        take = line if take is None else take
        left ^= 1 << line
        taken += sum(not left & around for _, around in game.beside[line])
        waiting.update(behind for behind, _ in game.beside[line])
    if keep is None:
        return Offer(left, taken, 0, take)
    held, lines = keep
    return Offer(left & ~sum(1 << line for line in lines), taken, held, lines[0] if take is None else take, lines[1])


def net_of_strings(game: Dots, left: int) -> int:
    """What the mover gets more than the other of two sides where every line opens a string and nothing is offered.

    Strings are opened the shortest first, chains and loops that stand alone in the best order of the two kinds, and
    whoever takes one leaves its last coins where that pays. An estimate where strings meet.
    """
    opened: list[Offer] = []
    while True:
        found = strings(game, left)
        if all(string.alone for string in found):
            break
        least = min(len(string.coins) for string in found)
        before = len(opened)
        for string in found:
            if len(string.coins) > least or not left >> string.opening & 1:
                continue
            offer = open_string(game, left, string)
            # One opened before may have joined this one to a third.
            if len(opened) == before or offer.taken + offer.held == least:
                opened.append(offer)
                left = offer.rest
    chains = sorted((string for string in found if not string.loop), key=lambda string: -len(string.coins))
    loops = sorted((string for string in found if string.loop), key=lambda string: -len(string.coins))
    # net[j]: with the longest chains so far and the longest j loops left.
    net = [0] * (len(loops) + 1)
    for i in range(len(chains) + 1):
        for j in range(len(loops) + 1):
            ways = [-_taker(chains[i - 1], net[j])] if i else []
            ways += [-_taker(loops[j - 1], net[j - 1])] if j else []
            net[j] = max(ways, default=0)
    value = net[-1]
    for offer in reversed(opened):
        value = -net_of_offer(offer, value)
    return value


def open_string(game: Dots, left: int, string: String) -> Offer:
    """What opening a string offers the next mover."""
    return take_offer(game, left & ~(1 << string.opening), game.board.beside[string.opening])


def net_of_offer(offer: Offer, after: int) -> int:
    """What a taker gets more than the other side, who or whom is to move in the rest having `after` there."""
    return offer.taken + (abs(offer.held + after) if offer.held else after)


def _taker(string: String, after: int) -> int:
    return net_of_offer(Offer(0, len(string.coins) - string.held, string.held), after)


def _walk(game: Dots, left: int, start: int, line: int) -> tuple[list[int], list[int], int]:
    """From a coin over beads: the lines gone through, the beads met, and where it ends (`start` for a loop)."""
    lines = [line]
    beads: list[int] = []
    coin = _across(game, line, start)
    while coin not in (GROUND, start) and lacking(game, left, coin) == 2:
        beads.append(coin)
        line = (left & game.coins[coin] & ~(1 << line)).bit_length() - 1
        lines.append(line)
        coin = _across(game, line, coin)
    return lines, beads, coin


def _across(game: Dots, line: int, coin: int) -> int:
    """The coin on the other side of a line."""
    beside = game.board.beside[line]
    if len(beside) == 1:
        return GROUND
    return beside[1] if beside[0] == coin else beside[0]


def _next_to_take(game: Dots, left: int, waiting: set[int]) -> tuple[int | None, tuple[int, list[int]] | None]:
    """The coin to take next; None and the coins that may be kept, with their lines, where no others are offered."""
    keeper: int | None = None
    far = GROUND
    keep: tuple[int, list[int]] | None = None
    for coin in sorted(waiting):
        if lacking(game, left, coin) != 1:
            waiting.discard(coin)
            continue
        lines, beads, end = _walk(game, left, coin, (left & game.coins[coin]).bit_length() - 1)
        closed = end != GROUND and lacking(game, left, end) == 1
        length = 1 + len(beads) + closed
        held = 4 if closed and length == 4 else 2 if not closed and length == 2 else 0
        if not held:
            return coin, None
        if keeper is None:
            keeper, far, keep = coin, end if closed else GROUND, (held, lines)
        elif keep is not None and coin != far:
            return (keeper if keep[0] > held else coin), None
    return None, keep


__all__ = [
    "GROUND",
    "Offer",
    "String",
    "lacking",
    "members",
    "net_of_offer",
    "net_of_strings",
    "offered",
    "open_string",
    "quiet",
    "strings",
    "take_offer",
]
