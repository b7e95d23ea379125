"""Ultimate tic-tac-toe against OpenSpiel, and against a twin that shares no code with the rules."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

import kletka
from kletka.games import IllegalMove, NotationError, State
from kletka.games.ultimate import Boards, Ultimate
from tests.games_facts.test_tictactoe import spiel

SPECS = [
    f"ultimate:won_boards={won},no_line={no_line},misere={misere}"
    for won, no_line, misere in product(("closed", "open"), ("draw", "count"), ("false", "true"))
]
READING = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
"""The squares as OpenSpiel numbers them and as texts list them."""
ROWS = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
EMPTY = "." * 81


def ultimate(spec: str = "ultimate") -> Ultimate:
    made = kletka.game(spec)
    assert isinstance(made, Ultimate)
    return made


def played(spec: str, moves: str) -> Boards:
    state = ultimate(spec).start()
    for move in moves.split():
        state = state.play(state.game.parse(move))
    return state


class Twin(NamedTuple):
    """What a game has come to: legal moves, who owns the boards, seats that win (None: it goes on)."""

    legal: set[str]
    owners: dict[str, int]
    winners: set[int] | None


def rowed(squares: set[str]) -> bool:
    return any(set(row.split()) <= squares for row in ROWS)


def twin(history: list[str], spec: str) -> Twin:
    """Replay a game with sets of names: plain, slow, and nothing of the rules module is used."""
    is_open, counts, misere = "won_boards=open" in spec, "no_line=count" in spec, "misere=true" in spec
    marks: dict[str, int] = {}
    owners: dict[str, int] = {}
    for turn, move in enumerate(history):
        seat, board = turn % 2, move[:2]
        marks[move] = seat
        if board not in owners and rowed({m[2:] for m, who in marks.items() if m[:2] == board and who == seat}):
            owners[board] = seat
        if rowed({b for b, who in owners.items() if who == seat}):
            return Twin(set(), owners, {1 - seat} if misere else {seat})
    playable = {b for b in READING if any(b + c not in marks for c in READING) and (is_open or b not in owners)}
    if not playable:
        claimed = [list(owners.values()).count(seat) * (-1 if misere else 1) for seat in (0, 1)]
        best = {seat for seat in (0, 1) if claimed[seat] == max(claimed)}
        return Twin(set(), owners, best if counts else {0, 1})
    if history and history[-1][2:] in playable:
        playable = {history[-1][2:]}
    return Twin({b + c for b in playable for c in READING if b + c not in marks}, owners, None)


def imported(history: list[str], capital: bool = True) -> str:
    """A game as 81 characters, the last move as a capital."""
    signs = {move: "xo"[turn % 2] for turn, move in enumerate(history)}
    if history and capital:
        signs[history[-1]] = signs[history[-1]].upper()
    return "".join(signs.get(board + cell, ".") for board in READING for cell in READING)


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_agree_with_the_twin(spec: str) -> None:
    ended = set()
    for seed in range(32):
        rng = Random(f"{spec}/{seed}")
        state: Boards = ultimate(spec).start()
        history: list[str] = []
        while True:
            expected = twin(history, spec)
            assert set(state.moves()) == expected.legal
            if len(history) % 8 == 0:
                assert {m for m in state.game.actions if not state.refuses(m)} == expected.legal
            assert {b: state.owner(i) for i, b in enumerate(sorted(READING, key=lambda s: s[::-1]))} == {
                b: expected.owners.get(b) for b in READING
            }
            assert (set(state.outcome.winners) if state.outcome else None) == expected.winners
            if state.to_move is None:
                break
            assert state.to_move == len(history) % 2
            history.append(rng.choice(sorted(expected.legal)))
            state = state.play(state.game.parse(history[-1]))
        assert state.outcome is not None
        ended.add(state.outcome.reason)
    assert ended - {"full"} == {"misere" if "misere=true" in spec else "line", *(["boards"] if "count" in spec else [])}
    assert "full" in ended or "count" in spec


@pytest.mark.parametrize("spec", SPECS)
def test_positions_of_81_characters(spec: str) -> None:
    refused = 0
    for seed in range(25):
        rng = Random(f"{spec}/{seed}")
        state: Boards = ultimate(spec).start()
        history: list[str] = []
        while state.to_move is not None:
            history.append(state.sample(rng))
            state = state.play(state.game.parse(history[-1]))
            text = imported(history)
            try:
                read = state.game.read(text)
            except NotationError as error:
                assert error.code == "position_owners"
                refused += 1
                continue
            assert read == state
            assert state.game.read(text.replace(".", " ")) == state
            free = state.game.read(imported(history, capital=False))
            assert (free.marks, free.owned, free.target) == (state.marks, state.owned, None)
    assert (refused > 0) == ("open" in spec)


def spiel_moves(state: Any) -> dict[str, list[int]]:
    """OpenSpiel's legal moves by our names: a free choice takes two of its actions."""
    if "Choose" not in state.action_to_string(state.current_player(), state.legal_actions()[0]):
        board = READING[int(str(state).split("Forced board: ")[1])]
        return {board + READING[cell]: [cell] for cell in state.legal_actions()}
    return {
        READING[board] + READING[cell]: [board, cell]
        for board in state.legal_actions()
        for cell in state.child(board).legal_actions()
    }


def test_random_games_agree_with_openspiel() -> None:
    other = spiel().load_game("ultimate_tic_tac_toe")
    rng = Random(23)
    for _ in range(200):
        mine: Boards = ultimate().start()
        state = other.new_initial_state()
        while mine.to_move is not None:
            assert not state.is_terminal()
            assert state.current_player() == mine.to_move
            theirs = spiel_moves(state)
            assert set(mine.moves()) == set(theirs)
            move = rng.choice(mine.moves())
            mine = mine.play(move)
            for action in theirs[move]:
                state.apply_action(action)
        assert state.is_terminal()
        assert mine.outcome is not None
        expected = [0.0, 0.0]
        if len(mine.outcome.winners) == 1:
            (winner,) = mine.outcome.winners
            expected = [1.0 if seat == winner else -1.0 for seat in (0, 1)]
        assert state.returns() == expected


def test_a_known_sequence_of_openspiel() -> None:
    state = spiel().load_game("ultimate_tic_tac_toe").new_initial_state()
    mine: Boards = ultimate().start()
    actions = [0, 3, 3, 7, 5, 0, 2, 0, 1, 1, 3, 0, 0, 2, 1]
    while actions:
        moves = {tuple(path): move for move, path in spiel_moves(state).items()}
        assert set(mine.moves()) == set(moves.values())
        path = tuple(actions[: len(next(iter(moves)))])
        del actions[: len(path)]
        mine = mine.play(mine.game.parse(moves[path]))
        for action in path:
            state.apply_action(action)
    assert set(mine.moves()) == set(spiel_moves(state))
    assert mine.owner(6) == 1
    assert mine.target == 7


def test_a_board_may_be_claimed_by_a_cell_that_names_it() -> None:
    moves = "a1c3 c3a1 a1c2 c2a1 a1c1 c1b2 b2c3 c3b2 b2c2 c2b2 b2a1"
    state = played("ultimate", moves)
    assert state.owner(0) == 0
    assert state.target is None
    assert {move[:2] for move in state.moves()} == {"b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"}
    assert played("ultimate:won_boards=open", moves).target == 0
    assert played("ultimate:won_boards=open", moves).owner(0) == 0


def test_every_reason_is_given() -> None:
    state = played("ultimate", "a1c3 c3a1 a1c2 c2a1 a1c1 c1b2")
    assert [(r.code, dict(r.facts)) for r in state.refuses("a1c1")] == [
        ("taken", {"at": "a1c1"}),
        ("closed_board", {"at": "a1c1", "board": "a1"}),
        ("elsewhere", {"at": "a1c1", "board": "b2"}),
    ]
    assert [r.code for r in state.refuses("a1a1")] == ["closed_board", "elsewhere"]
    assert [r.code for r in state.refuses("a2a1")] == ["elsewhere"]
    assert [r.code for r in state.refuses("d1a1")] == ["off_board"]
    assert [r.code for r in state.refuses("a1")] == ["notation"]
    assert [r.code for r in state.refuses("B2A1")] == ["notation"]
    assert state.refuses("b2a1") == ()
    left = state.without(0)
    assert [r.code for r in left.refuses("a1c1")] == ["over", "taken", "closed_board"]
    assert left.outcome is not None
    assert (set(left.outcome.winners), left.outcome.reason) == ({1}, "left")
    with pytest.raises(IllegalMove):
        state.play(state.game.parse("a1a1"))
    assert state.game.parse(" B2a1 ") == "b2a1"


def test_stopping_by_consent() -> None:
    moves = "a1c3 c3a1 a1c2 c2a1 a1c1 c1b2"
    assert played("ultimate", moves).agreed() == (frozenset({0, 1}), (0, 0), "agreed")
    assert played("ultimate:no_line=count", moves).agreed().winners == {0, 1}, "people agree on a draw"


def cells(**boards: str) -> str:
    """81 characters from a few boards."""
    return "".join(boards.get(board, "." * 9) for board in READING)


TOP = dict.fromkeys(("a3", "b3", "c3"), "xxx......")
"""The upper three boards, all claimed by crosses."""


@pytest.mark.parametrize(
    ("spec", "position", "code"),
    [
        ("ultimate", EMPTY[1:], "position_length"),
        ("ultimate", EMPTY + ".", "position_length"),
        ("ultimate", "", "position_length"),
        ("ultimate", "?" + EMPTY[1:], "position_sign"),
        ("ultimate", "o" + EMPTY[1:], "position_counts"),
        ("ultimate", "xx" + EMPTY[2:], "position_counts"),
        ("ultimate", "XoX" + EMPTY[3:], "position_last"),
        ("ultimate", "Xo" + EMPTY[2:], "position_last"),
        ("ultimate", cells(a3="xxxooo..."), "position_impossible"),
        ("ultimate:won_boards=open", cells(a3="xxxooo..."), "position_owners"),
        ("ultimate", cells(**TOP, a1="ooo......", b1="ooo......", c1="ooo......"),
         "position_impossible"),
        ("ultimate", cells(**TOP, a1="oo.......", b1="oo.oo....", c1="oo.oo...o"),
         "position_counts"),
        ("ultimate", cells(**TOP, a1="oo.......", b1="oo.o.....", c1="oo.oo...."),
         "position_impossible"),
        ("ultimate", cells(**TOP, a1="oo.X.....", b1="oo.......", c1="oo.oo...o"),
         "position_last"),
        ("ultimate", cells(a3="xxxxxx...", a1="oo.......", b1="oo.......", c1="o........"), "position_impossible"),
        ("ultimate", "/".join(["." * 9] * 8), "position_boards"),
        ("ultimate", "/".join(["." * 9] * 9) + " .........", "position_boards"),
        ("ultimate", "/".join(["." * 9] * 8) + "/........ ......... any", "position_cells"),
        ("ultimate", "/".join(["." * 9] * 8) + "/........? ......... any", "position_sign"),
        ("ultimate", "/".join(["." * 9] * 9) + " ........x any", "position_owners"),
        ("ultimate", "/".join(["." * 9] * 9) + " ........ any", "position_owners"),
        ("ultimate", "/".join(["." * 9] * 9) + " ......... d4", "position_target"),
        ("ultimate", "/".join(["." * 9] * 9) + " ......... a1", "position_target"),
        ("ultimate", "/".join(["x........"] + ["." * 9] * 8) + " ......... b2", "position_target"),
        ("ultimate", "/".join(["xxx......", "oo......."] + ["." * 9] * 7) + " ......... any", "position_owners"),
        ("ultimate", "/".join(["xxx......", "oo......."] + ["." * 9] * 7) + " x........ a3", "position_target"),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(spec: str, position: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        ultimate(spec).read(position)
    assert caught.value.code == code
    assert 0 <= caught.value.at <= len(position)


def test_positions_say_who_claimed_first() -> None:
    game = ultimate("ultimate:won_boards=open")
    boards = "/".join(["xxxooo...", *["." * 9] * 8])
    crosses, noughts = game.read(f"{boards} x........ any"), game.read(f"{boards} o........ any")
    assert crosses != noughts
    assert (crosses.owner(6), noughts.owner(6)) == (0, 1)
    for state in (crosses, noughts):
        assert game.read(state.position) == state
    with pytest.raises(NotationError):
        game.read(f"{boards} ......... any")


def images(state: State, permutation: tuple[int, ...]) -> set[str]:
    actions = state.game.actions
    assert actions is not None
    return {actions[permutation[actions.index(move)]] for move in state.moves()}


def test_the_symmetries_are_those_of_the_square() -> None:
    game = ultimate()
    symmetries = game.symmetries()
    assert len(set(symmetries)) == 8
    assert all(sorted(permutation) == list(range(81)) for permutation in symmetries)
    # The corners of corners go to corners of corners, the centre of the centre stays.
    corners = {"a1a1", "a3a3", "c1c1", "c3c3"}
    for permutation in symmetries:
        moved = dict(zip(game.actions, (game.actions[i] for i in permutation), strict=True))
        assert {moved[game.parse(name)] for name in corners} == corners
        assert moved[game.parse("b2b2")] == "b2b2"
    after = played("ultimate", "a1c3")
    assert {len(images(after, p) & set(after.moves())) for p in symmetries} == {0, 9}
