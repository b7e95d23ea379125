// Tic-tac-toe with signs that belong to nobody: wild and crosses only, on one board or several.
//
// The rules are those of src/kletka/games/tictactoe/shared.py and are checked against it by perft and minimax. Cells
// count along columns, rows, layers, then boards; a move is its cell, in the wild game twice its cell plus the sign.
// What a position is worth to the mover doesn't depend on which seat that is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "alphabeta.hpp"
#include "bits.hpp"
#include "tictactoe.hpp"

namespace kletka::tictactoe {

// Equal boards of one shape, and how many signs there are to choose from.
struct SharedShape {
  Shape board;
  int boards;
  int signs;
  int cells;
  std::vector<std::uint16_t> simplest;  // several small boards of crosses: for each board its least image

  SharedShape(Shape board_, int boards_, bool wild)
      : board(std::move(board_)), boards(boards_), signs(wild ? 2 : 1), cells(board.cells * boards_) {
    if (boards < 1 || boards > 4) throw std::invalid_argument("one to four boards");
    if (cells > kMostCells) throw std::invalid_argument("too many cells");
    if (boards > 1 && !wild && board.cells <= 16) find_simplest();
  }

 private:
  // Boards that turning and mirroring make alike are worth the same.
  void find_simplest() {
    const int rows = board.sides[0];
    const int columns = board.sides[1];
    simplest.resize(std::size_t{1} << board.cells);
    for (std::size_t marks = 0; marks < simplest.size(); ++marks) simplest[marks] = static_cast<std::uint16_t>(marks);
    for (int image = 1; image < 8; ++image) {
      const bool turned = image & 4;
      if (turned && (rows != columns || board.gravity)) continue;
      if ((image & 2) && board.gravity) continue;
      for (std::size_t marks = 0; marks < simplest.size(); ++marks) {
        unsigned moved = 0;
        for (int cell = 0; cell < board.cells; ++cell) {
          if (!(marks >> cell & 1)) continue;
          const int row = image & 2 ? rows - 1 - cell / columns : cell / columns;
          const int column = image & 1 ? columns - 1 - cell % columns : cell % columns;
          moved |= 1u << (turned ? column * columns + row : row * columns + column);
        }
        simplest[marks] = std::min(simplest[marks], static_cast<std::uint16_t>(moved));
      }
    }
  }
};

// For alpha-beta. The line that ends the game is never played: `glance` says what it would do.
template <int W>
class SharedPosition {
 public:
  using Key = std::array<Bits<W>, 2>;

  // One of `x`, `o` and `.` for each cell. Throws std::invalid_argument.
  SharedPosition(const SharedShape& shape, std::string_view text) : shape_(shape), board_(shape.board) {
    if (static_cast<int>(text.size()) != shape.cells) throw std::invalid_argument("position: length");
    SplitMix64 random(0);
    for (auto& keys : zobrist_) {
      keys.resize(shape.cells);
      for (auto& key : keys) key = random.next();
    }
    for (auto& key : dead_key_) key = random.next();
    for (auto& count : count_) count.assign(static_cast<std::size_t>(board_.lines) * shape.boards, 0);
    for (int cell = 0; cell < shape.cells; ++cell) {
      const char sign = text[cell];
      if (sign != '.' && sign != 'x' && (sign != 'o' || shape.signs == 1))
        throw std::invalid_argument("position: sign");
      const bool grounded = !board_.gravity || within(cell) < board_.level || text[cell - board_.level] != '.';
      if (sign == '.') {
        ++free_;
        if (grounded) open_.set(cell);
        continue;
      }
      if (!grounded) throw std::invalid_argument("position: floating");
      const int which = sign == 'o';
      marks_[which].set(cell);
      hash_ ^= zobrist_[which][cell];
      each_line(cell, [&](std::size_t line, int) { ++count_[which][line]; });
    }
    for (int sign = 0; sign < 2; ++sign)
      for (int number = 0; number < board_.lines * shape.boards; ++number) {
        const auto line = static_cast<std::size_t>(number);
        ready_[sign] += ready(sign, line);
        if (count_[sign][line] == board_.line && !longer(number, sign, -1)) bury(number / board_.lines);
      }
  }

  Key key() const {
    if (shape_.simplest.empty()) return {marks_[0] | dead_, marks_[1] | dead_};
    Key key{};
    key[0].word[0] = simplest();
    return key;
  }

  std::uint64_t hash() const { return shape_.simplest.empty() ? hash_ : SplitMix64(simplest()).next(); }
  int plies_left() const { return free_; }
  bool over() const { return !open_.any(); }
  const Bits<W>& open() const { return open_; }

  Glance glance() const {
    if (!open_.any()) return {Glance::drawn, 0, -1};
    const int first = open_.first() * shape_.signs;
    if (!last_board()) return {};
    if (board_.misere) return any_move([&](int move) { return !completes(move); }) < 0 ? Glance{Glance::lost, 1, first} : Glance{};
    if (const int won = any_move([&](int move) { return completes(move); }); won >= 0) return {Glance::won, 1, won};
    return any_move([&](int move) { return !helps(move); }) < 0 ? Glance{Glance::lost, 2, first} : Glance{};
  }

  // Who runs out of harmless moves first loses, so their number is even where the mover does.
  int estimate() const {
    int harmless = 0;
    open_.each([&](int cell) {
      bool one = false;
      for (int sign = 0; sign < shape_.signs; ++sign) one = one || !harms(cell * shape_.signs + sign);
      harmless += one;
    });
    return harmless % 2 == 0 ? -kParity : kParity;
  }

  bool candidates(std::vector<Candidate>& moves, bool) const {
    const bool last = last_board();
    each_move([&](int move) {
      if (!last || !harms(move)) moves.push_back({move, promise(move)});
    });
    if (moves.empty()) each_move([&](int move) { moves.push_back({move, 0}); });
    return false;
  }

  void threats(std::vector<Candidate>&) const {}
  bool forces() const { return false; }

  // Where boards are told apart up to turning and order only, a remembered move may belong elsewhere.
  bool allows(int move) const { return shape_.simplest.empty() && open_.test(move / shape_.signs); }

  // Whether the move completes the line that ends the game.
  bool decides(int move) const { return last_board() && completes(move); }

  void play(int move) {
    const int cell = move / shape_.signs;
    const int sign = move % shape_.signs;
    const bool completed = completes(move);
    played_.push_back({open_, hash_, free_, completed ? cell / board_.cells : -1});
    count(cell, sign, 1);
    marks_[sign].set(cell);
    hash_ ^= zobrist_[sign][cell];
    open_.clear(cell);
    if (board_.gravity && within(cell) + board_.level < board_.cells) open_.set(cell + board_.level);
    --free_;
    if (completed) bury(cell / board_.cells);
  }

  void undo(int move) {
    const int cell = move / shape_.signs;
    const int sign = move % shape_.signs;
    const Played& before = played_.back();
    if (before.buried >= 0) {
      each_cell(before.buried, [&](int at) { dead_.clear(at); });
      --buried_;
    }
    open_ = before.open;
    hash_ = before.hash;
    free_ = before.free;
    played_.pop_back();
    marks_[sign].clear(cell);
    count(cell, sign, -1);
  }

 private:
  static constexpr int kParity = 60;

  struct Played {
    Bits<W> open;
    std::uint64_t hash;
    int free;
    int buried;  // the board that the move's line took out of the game, -1: none
  };

  // All boards, at most 64 cells, in one number: each at its simplest, the lesser first; a dead one counts as full.
  std::uint64_t simplest() const {
    std::array<std::uint64_t, 4> boards{};
    const std::uint64_t full = (std::uint64_t{1} << board_.cells) - 1;
    for (int board = 0; board < shape_.boards; ++board) {
      const int first = board * board_.cells;
      const std::uint64_t marks = marks_[0].word[0] >> first & full;
      boards[static_cast<std::size_t>(board)] = dead_.test(first) ? full : shape_.simplest[marks];
    }
    std::sort(boards.begin(), boards.begin() + shape_.boards);
    std::uint64_t all = 0;
    for (int board = 0; board < shape_.boards; ++board) all = all << 16 | boards[static_cast<std::size_t>(board)];
    return all;
  }

  int within(int cell) const { return cell % board_.cells; }
  bool last_board() const { return buried_ + 1 == shape_.boards; }

  // Visit(line among those of all boards, line of the first board) for the lines through a cell.
  template <class Visit>
  void each_line(int cell, Visit visit) const {
    const int first = cell / board_.cells * board_.lines;
    board_.each_line_through(within(cell), [&](int number) { visit(static_cast<std::size_t>(first + number), number); });
  }

  template <class Visit>
  void each_cell(int board, Visit visit) const {
    for (int cell = board * board_.cells; cell < (board + 1) * board_.cells; ++cell) visit(cell);
  }

  template <class Visit>
  void each_move(Visit visit) const {
    open_.each([&](int cell) {
      for (int sign = 0; sign < shape_.signs; ++sign) visit(cell * shape_.signs + sign);
    });
  }

  // The first move that is so, -1 where none is.
  template <class So>
  int any_move(So so) const {
    for (auto rest = open_; rest.any();) {
      const int cell = rest.first();
      rest.clear(cell);
      for (int sign = 0; sign < shape_.signs; ++sign)
        if (so(cell * shape_.signs + sign)) return cell * shape_.signs + sign;
    }
    return -1;
  }

  bool ready(int sign, std::size_t line) const {
    return count_[sign][line] == board_.line - 1 && count_[sign ^ 1][line] == 0;
  }

  void count(int cell, int sign, int by) {
    each_line(cell, [&](std::size_t line, int) {
      ready_[0] -= ready(0, line);
      ready_[1] -= ready(1, line);
      count_[sign][line] = static_cast<std::uint8_t>(count_[sign][line] + by);
      ready_[0] += ready(0, line);
      ready_[1] += ready(1, line);
    });
  }

  // Whether a sign's marks, with one more on the cell `added`, make a line too long; `number` counts all boards' lines.
  bool longer(int number, int sign, int added) const {
    const int first = number / board_.lines * board_.cells;
    return board_.longer(number % board_.lines,
                         [&](int at) { return first + at == added || marks_[sign].test(first + at); });
  }

  bool completes(int move) const {
    const int sign = move % shape_.signs;
    return ready_[sign] > 0 && completes(move / shape_.signs, sign, -1, -1);
  }

  // Whether a sign on a free cell completes a line, after `added` has got its own sign too.
  bool completes(int cell, int sign, int added, int added_sign) const {
    bool found = false;
    const int also = added_sign == sign ? added : -1;
    each_line(cell, [&](std::size_t line, int number) {
      const int more = also >= 0 && holds(number, within(also)) ? 1 : 0;
      if (count_[sign][line] + more == board_.line - 1 && !longer(static_cast<int>(line), sign, also)) found = true;
    });
    return found;
  }

  bool holds(int number, int cell) const {
    const auto* of = board_.line_cells(number);
    return std::find(of, of + board_.line, cell) != of + board_.line;
  }

  // On the last board, where nothing can be completed now: whether the move lets the other complete a line.
  bool helps(int move) const {
    const int cell = move / shape_.signs;
    const int sign = move % shape_.signs;
    const int above = board_.gravity && within(cell) + board_.level < board_.cells ? cell + board_.level : -1;
    const int first = cell - within(cell);
    bool found = false;
    each_line(cell, [&](std::size_t line, int number) {
      if (found || count_[sign][line] != board_.line - 2 || count_[sign ^ 1][line] != 0) return;
      const auto* of = board_.line_cells(number);
      for (int k = 0; k < board_.line; ++k) {
        const int at = first + of[k];
        if (at == cell || marks_[sign].test(at)) continue;
        found = (open_.test(at) || at == above) && !longer(static_cast<int>(line), sign, cell);
      }
    });
    if (found || above < 0) return found;
    for (int reply = 0; reply < shape_.signs; ++reply)
      if (completes(above, reply, cell, sign)) return true;
    return false;
  }

  // Whether a move on the last board loses at once; elsewhere whether it completes a line.
  bool harms(int move) const {
    if (board_.misere || !last_board()) return completes(move);
    return helps(move);
  }

  int promise(int move) const {
    const int cell = within(move / shape_.signs);
    return static_cast<int>(board_.begin[cell + 1] - board_.begin[cell]);
  }

  // Take a board out of the game. All that is known of it from then on is that it is dead.
  void bury(int board) {
    if (dead_.test(board * board_.cells)) return;
    each_cell(board, [&](int at) {
      for (int sign = 0; sign < 2; ++sign)
        if (marks_[sign].test(at)) hash_ ^= zobrist_[sign][at];
      free_ -= !marks_[0].test(at) && !marks_[1].test(at);
      open_.clear(at);
      dead_.set(at);
    });
    hash_ ^= dead_key_[static_cast<std::size_t>(board)];
    ++buried_;
  }

  const SharedShape& shape_;
  const Shape& board_;
  std::array<Bits<W>, 2> marks_;
  Bits<W> open_;  // free cells of living boards that may be marked now
  Bits<W> dead_;  // cells of dead boards
  int free_ = 0;
  int buried_ = 0;
  std::uint64_t hash_ = 0;
  std::array<std::vector<std::uint64_t>, 2> zobrist_;
  std::array<std::uint64_t, 4> dead_key_;
  std::array<std::vector<std::uint8_t>, 2> count_;  // of each sign in each line
  std::array<int, 2> ready_{};                      // lines that lack a single mark of the sign
  std::vector<Played> played_;
};

// How many sequences of exactly `depth` moves there are.
template <int W>
std::uint64_t perft(const SharedShape& shape, SharedPosition<W>& at, int depth) {
  if (depth <= 0) return 1;
  std::uint64_t total = 0;
  const Bits<W> open = at.open();
  open.each([&](int cell) {
    for (int move = cell * shape.signs; move < (cell + 1) * shape.signs; ++move) {
      if (depth == 1 || at.decides(move)) {
        total += depth == 1;
        continue;
      }
      at.play(move);
      total += perft(shape, at, depth - 1);
      at.undo(move);
    }
  });
  return total;
}

}  // namespace kletka::tictactoe
