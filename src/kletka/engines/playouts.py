"""Random play-outs by the Python rules, choice for choice the same as the kernels'."""

from __future__ import annotations

from kletka.games import Move, State

_WORD = (1 << 64) - 1
_RESULTS = 512
_MIX = 0x9E3779B97F4A7C15


class SplitMix64:
    """The generator of 64-bit numbers by Steele, Lea and Flood (2014); cpp/bits.hpp has the same."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def next(self) -> int:
        """The next number, 0..2**64 - 1."""
        self._state = z = self._state + 0x9E3779B97F4A7C15 & _WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
        return z ^ z >> 31

    def below(self, bound: int) -> int:
        """A number below `bound`."""
        return self.next() * bound >> 64


class Tally(tuple[int, ...]):
    """How play-outs ended: wins of each seat, draws (or wins that were shared), and a checksum.

    The checksum mixes every move (its index in `actions`) and result in order.
    """

    __slots__ = ()

    @property
    def wins(self) -> tuple[int, ...]:
        """For each seat how often it won alone."""
        return self[:-2]

    @property
    def draws(self) -> int:
        """How often nobody won alone."""
        return self[-2]

    @property
    def checksum(self) -> int:
        """64 bits."""
        return self[-1]


def playouts(state: State, seed: int, games: int) -> Tally:
    """Play to the end at random from a position of an open game with a closed list of moves.

    Uses nothing but the rules. Raises ValueError for other games.
    """
    actions = state.game.actions
    if state.game.hidden or actions is None:
        raise ValueError(f"no play-outs of {state.game.spec}")
    index: dict[Move, int] = {move: i for i, move in enumerate(actions)}
    random = SplitMix64(seed)
    counts = [0] * (state.game.seats + 1)
    checksum = 0
    for _ in range(games):
        at = state
        while at.to_move is not None:
            moves = at.moves()
            move = moves[random.below(len(moves))]
            checksum = _mixed(checksum, index[move])
            at = at.play(move)
        result = _result(at)
        checksum = _mixed(checksum, _RESULTS + result)
        counts[result] += 1
    return Tally((*counts, checksum))


def _mixed(checksum: int, value: int) -> int:
    turned = (checksum << 5 | checksum >> 59) & _WORD
    return (turned ^ value) * _MIX & _WORD


def _result(state: State) -> int:
    """The seat that won alone; the number of seats where none did."""
    outcome = state.outcome
    if outcome is None or len(outcome.winners) != 1:
        return state.game.seats
    return next(iter(outcome.winners))
