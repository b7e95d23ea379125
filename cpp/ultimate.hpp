// Ultimate tic-tac-toe: boards, perft, random play-outs, and what UCT sees.
//
// The rules are those of src/kletka/games/ultimate.py and are checked against it by perft and checksums. Squares of a
// board, small or large, count along columns, then rows from a1; move 9 * board + cell.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "playouts.hpp"
#include "uct.hpp"

namespace kletka::ultimate {

inline constexpr int kWholeBoard = 0b111'111'111;
inline constexpr int kAny = 9;  // a free choice of the board

// What is known of a set of squares, bit i for square i.
struct Squares {
  std::uint8_t count = 0;
  bool lined = false;                  // holds three in a row
  std::array<std::uint8_t, 10> nth{};  // its members in order
  std::uint16_t completing = 0;        // squares that would make three in a row
};

inline constexpr std::array<Squares, kWholeBoard + 1> kSquares = [] {
  constexpr int lines[] = {0b111, 0b111'000, 0b111'000'000, 0b001'001'001, 0b010'010'010, 0b100'100'100, 0b100'010'001,
                           0b001'010'100};
  std::array<Squares, kWholeBoard + 1> all{};
  for (int set = 0; set <= kWholeBoard; ++set) {
    auto& of = all[static_cast<std::size_t>(set)];
    for (int square = 0; square < 9; ++square)
      if (set >> square & 1) of.nth[of.count++] = static_cast<std::uint8_t>(square);
    for (const int line : lines) {
      of.lined = of.lined || (set & line) == line;
      const int rest = line & ~set;
      if (std::popcount(static_cast<unsigned>(rest)) == 1) of.completing |= static_cast<std::uint16_t>(rest);
    }
  }
  return all;
}();

struct Options {
  bool open;    // claimed boards are played on
  bool count;   // without a row of boards the number of boards decides
  bool misere;
};

// The marks, the owners and the board to play in. `Open` as in the options, so that play-outs need not ask.
template <bool Open>
class Board {
 public:
  static constexpr int kSeats = 2;

  // 81 of `x`, `o` and `.` in the order of moves, nine owners likewise, and the board to play in, `0` to `8` or `-`.
  // `keen`: UCT's play-outs see what a mark brings at once; not in misère, where that makes no stronger play. Throws
  // std::invalid_argument.
  static Board read(const Options& options, std::string_view text, bool keen = false) {
    if (text.size() != 91) throw std::invalid_argument("position: length");
    for (const char sign : text.substr(0, 90))
      if (sign != 'x' && sign != 'o' && sign != '.') throw std::invalid_argument("position: sign");
    Board board(options, keen);
    int more = 0;
    for (int at = 0; at < 81; ++at) {
      const char sign = text[static_cast<std::size_t>(at)];
      if (sign == '.') continue;
      more += sign == 'x' ? 1 : -1;
      board.put(sign == 'o', at / 9, at % 9);
    }
    if (more != 0 && more != 1) throw std::invalid_argument("position: counts");
    board.side_ = static_cast<std::uint8_t>(more);
    for (int number = 0; number < 9; ++number) {
      const char owner = text[static_cast<std::size_t>(81 + number)];
      const bool lined[] = {board.squares(0, number).lined, board.squares(1, number).lined};
      if (owner == '.' ? lined[0] || lined[1] : !lined[owner == 'o']) throw std::invalid_argument("position: owners");
      if (owner != '.') board.claim(owner == 'o', number);
    }
    const char target = text[90];
    if (target != '-' && (target < '0' || target > '8')) throw std::invalid_argument("position: target");
    board.target_ = static_cast<std::uint8_t>(target == '-' ? kAny : target - '0');
    board.left_ = 0;
    for (const auto free : board.free_) board.left_ += kSquares[free].count;
    if (board.target_ != kAny && board.free_[board.target_] == 0) throw std::invalid_argument("position: target");
    for (int seat = 0; seat < 2; ++seat)
      if (kSquares[board.owned_[seat]].lined) board.by_row_ = static_cast<std::int8_t>(seat);
    return board;
  }

  bool over() const { return by_row_ >= 0 || left_ == 0; }
  int seat() const { return side_; }
  Gains<2> gains() const { return gains_of(result()); }

  // 0 or 1 for the seat that has won, 2 for a draw; only where the game is over.
  int result() const {
    if (by_row_ >= 0) return by_row_ ^ static_cast<int>(misere_);
    if (!count_) return 2;
    const int more = kSquares[owned_[0]].count - kSquares[owned_[1]].count;
    return more == 0 ? 2 : static_cast<int>(more < 0) ^ static_cast<int>(misere_);
  }

  // How many legal moves there are.
  int choices() const { return by_row_ >= 0 ? 0 : target_ == kAny ? left_ : kSquares[free_[target_]].count; }

  template <class Visit>
  void each(Visit visit) const {
    if (by_row_ >= 0) return;
    const int first = target_ == kAny ? 0 : target_;
    const int last = target_ == kAny ? 8 : target_;
    for (int number = first; number <= last; ++number)
      for (unsigned free = free_[number]; free != 0; free &= free - 1)
        visit(9 * number + std::countr_zero(free));
  }

  void moves(std::vector<int>& out) const {
    each([&](int move) { out.push_back(move); });
  }

  void play(int move) { play(move / 9, move % 9); }

  // To the end at random, move by move; the result. `Keen`: at random among the wanted moves.
  template <bool Keen, class Visit>
  int play_out(SplitMix64& random, Visit visit) {
    // The board to play in and its cells are at hand before it is known whether the choice is free: a branch on them is
    // foreseen most of the time.
    int number = target_ == kAny ? 0 : target_;
    unsigned cells = target_ == kAny ? 0 : free_[target_];
    int side = side_;
    unsigned left = left_;
    while (by_row_ < 0 && left != 0) {
      int cell;
      if (cells != 0) [[likely]] {
        cell = one_of(Keen ? wanted(side, number) : cells, random);
      } else if (const int winning = Keen ? winning_board(side) : kAny; winning != kAny) {
        number = winning;
        cell = one_of(claiming(side, number), random);
      } else {
        std::tie(number, cell) = nth(random.below(left));
        if (Keen) cell = one_of(wanted(side, number), random);
      }
      visit(9 * number + cell);
      left -= mark(side, number, cell);
      number = cell;
      cells = free_[cell];
      side ^= 1;
    }
    const int target = cells != 0 ? number : kAny;
    target_ = static_cast<std::uint8_t>(target);
    side_ = static_cast<std::uint8_t>(side);
    left_ = static_cast<std::uint8_t>(left);
    return result();
  }

  Gains<2> play_out(SplitMix64& random, int& plies) {
    const auto count = [&](int) { ++plies; };
    return gains_of(keen_ ? play_out<true>(random, count) : play_out<false>(random, count));
  }

  // How many sequences of two moves there are.
  std::uint64_t pairs() const {
    if (by_row_ >= 0) return 0;
    std::uint64_t total = 0;
    const int first = target_ == kAny ? 0 : target_;
    const int last = target_ == kAny ? 8 : target_;
    for (int number = first; number <= last; ++number) {
      const unsigned free = free_[number];
      // A move that claims nothing leaves all other boards as they are.
      const unsigned claims = claiming(side_, number);
      for (unsigned rest = free & ~claims; rest != 0; rest &= rest - 1) {
        const int cell = std::countr_zero(rest);
        const unsigned next = cell == number ? free & ~(1u << cell) : free_[cell];
        total += next == 0 ? static_cast<unsigned>(left_ - 1) : kSquares[next].count;
      }
      for (unsigned rest = claims; rest != 0; rest &= rest - 1) {
        Board after = *this;
        after.play(number, std::countr_zero(rest));
        total += static_cast<std::uint64_t>(after.choices());
      }
    }
    return total;
  }

  bool operator==(const Board&) const = default;

  // Marks are never taken away.
  bool before(const Board& later) const {
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t number = 0; number < 9; ++number)
        if ((marks_[side][number] & ~later.marks_[side][number]) != 0) return false;
    return true;
  }

 private:
  Board(const Options& options, bool keen)
      : count_(options.count), misere_(options.misere), keen_(keen && !options.misere) {
    free_.fill(kWholeBoard);
  }

  // Board and cell of the n-th of all cells where a move may go. No branch depends on n, since none could be foreseen.
  std::pair<int, int> nth(unsigned n) const {
    unsigned end = 0;
    unsigned begin = 0;
    int number = 0;
    for (const auto free : free_) {
      end += kSquares[free].count;
      begin = n >= end ? end : begin;
      number += n >= end;
    }
    return {number, kSquares[free_[static_cast<std::size_t>(number)]].nth[n - begin]};
  }

  bool owned(int number) const { return (owned_[0] | owned_[1]) >> number & 1; }

  // The cells where a side would claim a board.
  unsigned claiming(int side, int number) const {
    return Open && owned(number) ? 0 : free_[number] & squares(side, number).completing;
  }

  static int one_of(unsigned cells, SplitMix64& random) {
    const auto& of = kSquares[cells];
    return of.nth[random.below(of.count)];
  }

  // A board by whose claim a side has a row of boards and wins; kAny where there is none.
  int winning_board(int side) const {
    for (unsigned rest = kSquares[owned_[side]].completing & ~(owned_[0] | owned_[1]); rest != 0; rest &= rest - 1)
      if (claiming(side, std::countr_zero(rest)) != 0) return std::countr_zero(rest);
    return kAny;
  }

  // The cells of a board to choose from: those that claim it, else those that keep the other side from it, else all.
  unsigned wanted(int side, int number) const {
    const unsigned mine = claiming(side, number);
    if (mine != 0) return mine;
    const unsigned theirs = claiming(side ^ 1, number);
    return theirs != 0 ? theirs : free_[number];
  }

  const Squares& squares(int side, int number) const { return kSquares[marks_[side][number]]; }

  void put(int side, int number, int cell) {
    const auto bit = static_cast<std::uint16_t>(1u << cell);
    marks_[side][number] |= bit;
    free_[number] &= static_cast<std::uint16_t>(~bit);
  }

  void claim(int side, int number) {
    owned_[side] |= static_cast<std::uint16_t>(1u << number);
    if constexpr (!Open) free_[number] = 0;
  }

  // Mark a cell, and claim what it completes; how many cells that takes from those where a move may go.
  unsigned mark(int side, int number, int cell) {
    put(side, number, cell);
    if (!squares(side, number).lined || (Open && owned(number))) return 1;
    const unsigned closed = Open ? 0 : kSquares[free_[number]].count;
    claim(side, number);
    if (kSquares[owned_[side]].lined) by_row_ = static_cast<std::int8_t>(side);
    return closed + 1;
  }

  void play(int number, int cell) {
    left_ -= static_cast<std::uint8_t>(mark(side_, number, cell));
    target_ = static_cast<std::uint8_t>(free_[cell] != 0 ? cell : kAny);
    side_ ^= 1;
  }

  std::array<std::array<std::uint16_t, 9>, 2> marks_{};
  std::array<std::uint16_t, 9> free_{};  // cells where a move may go; none in a closed board
  std::array<std::uint16_t, 2> owned_{};
  std::uint8_t left_ = 81;  // cells where a move may go, in all boards together
  std::uint8_t target_ = kAny;
  std::uint8_t side_ = 0;    // to move
  std::int8_t by_row_ = -1;  // the side with three boards in a row
  bool count_ : 1;
  bool misere_ : 1;
  bool keen_ : 1;
};

static_assert(sizeof(Board<false>) == 64);  // a line of the cache

// How many sequences of exactly `depth` moves there are.
template <bool Open>
std::uint64_t perft(const Board<Open>& board, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(board.choices());
  if (depth == 2) return board.pairs();
  std::uint64_t count = 0;
  board.each([&](int move) {
    Board<Open> next = board;
    next.play(move);
    count += perft(next, depth - 1);
  });
  return count;
}

template <bool Open>
Tally playouts(const Board<Open>& start, std::uint64_t seed, std::uint64_t games) {
  SplitMix64 random(seed);
  Tally tally;
  for (std::uint64_t game = 0; game < games; ++game) {
    Board<Open> board = start;
    tally.ended(board.template play_out<false>(random, [&](int move) { tally.mix(static_cast<std::uint64_t>(move)); }));
  }
  return tally;
}

}  // namespace kletka::ultimate
