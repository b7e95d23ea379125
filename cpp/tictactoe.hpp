// Tic-tac-toe in two and three dimensions: lines, boards, perft and random play-outs.
//
// The rules are those of src/kletka/games/tictactoe.py and are checked against it by perft and checksums. Cell i
// counts along columns, then rows, then layers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "playouts.hpp"

namespace kletka::tictactoe {

inline constexpr int kMostCells = 512;

// The board's geometry and the options. Immutable after construction.
struct Shape {
  std::vector<int> sides;  // (layers,) rows, columns
  int line;                // how many in a row
  bool misere;
  bool gravity;
  bool exact;              // a longer row completes no line
  int cells = 1;
  int level = 1;                            // cells in one slice across the direction of gravity
  int lines = 0;
  std::vector<std::uint16_t> cells_of;      // `line` cells for each line
  std::vector<std::uint32_t> begin;         // lines through cell c: through[begin[c]] to through[begin[c + 1]]
  std::vector<std::uint16_t> through;
  std::vector<std::int16_t> ends;           // exact: for each line the two cells that would make it longer; -1: none
  std::vector<std::vector<std::uint16_t>> ending;  // exact: for each cell the lines that it would make longer
  int mask_width = 0;                       // boards of one word: masks for each cell, padded to a multiple of 4
  std::vector<std::uint64_t> masks;

  Shape(std::vector<int> sides_, int line_, bool misere_, bool gravity_, bool exact_ = false)
      : sides(std::move(sides_)), line(line_), misere(misere_), gravity(gravity_), exact(exact_ && line_ > 1) {
    if (sides.size() != 2 && sides.size() != 3) throw std::invalid_argument("two or three sides");
    for (int side : sides) {
      if (side < 1 || side > 64) throw std::invalid_argument("a side from 1 to 64");
      cells *= side;
    }
    if (cells > kMostCells) throw std::invalid_argument("too many cells");
    if (line < 1 || line > *std::max_element(sides.begin(), sides.end())) throw std::invalid_argument("line");
    level = cells / sides[0];
    find_lines();
    list_lines_through();
    if (exact) list_ending();
    if (cells <= 64) make_masks();
  }

  const std::uint16_t* line_cells(int number) const { return &cells_of[static_cast<std::size_t>(number) * line]; }

  // Whether one side's marks, given as a test of a cell, fill a line.
  template <class Marked>
  bool filled(int number, Marked marked) const {
    const auto* of = line_cells(number);
    for (int k = 0; k < line; ++k)
      if (!marked(of[k])) return false;
    return !longer(number, marked);
  }

  // Whether one of these marks makes the line too long.
  template <class Marked>
  bool longer(int number, Marked marked) const {
    if (!exact) return false;
    const auto* end = &ends[2 * static_cast<std::size_t>(number)];
    return (end[0] >= 0 && marked(end[0])) || (end[1] >= 0 && marked(end[1]));
  }

  template <class Visit>
  void each_line_through(int cell, Visit visit) const {
    for (auto i = begin[cell]; i < begin[cell + 1]; ++i) visit(through[i]);
  }

 private:
  void find_lines() {
    const int axes = static_cast<int>(sides.size());
    const int directions = axes == 2 ? 9 : 27;
    // Directions in lexicographic order; the upper half leaves out the reverses. A line of one cell has no direction.
    const int last = line == 1 ? directions / 2 + 1 : directions - 1;
    for (int start = 0; start < cells; ++start) {
      for (int direction = directions / 2 + 1; direction <= last; ++direction) {
        int rest = start;
        int code = direction;
        int stride = 1;
        int step = 0;
        bool inside = true;
        for (int axis = axes - 1; axis >= 0; --axis) {
          const int end = rest % sides[axis] + (code % 3 - 1) * (line - 1);
          inside = inside && end >= 0 && end < sides[axis];
          step += (code % 3 - 1) * stride;
          stride *= sides[axis];
          rest /= sides[axis];
          code /= 3;
        }
        if (!inside) continue;
        ends.push_back(static_cast<std::int16_t>(beyond(start, direction, -1, step)));
        ends.push_back(static_cast<std::int16_t>(beyond(start, direction, line, step)));
        for (int k = 0; k < line; ++k) cells_of.push_back(static_cast<std::uint16_t>(start + k * step));
        ++lines;
      }
    }
  }

  // The cell so many steps from a start, -1 outside the board.
  int beyond(int start, int direction, int steps, int step) const {
    int rest = start;
    for (int axis = static_cast<int>(sides.size()) - 1; axis >= 0; --axis) {
      const int at = rest % sides[axis] + (direction % 3 - 1) * steps;
      if (at < 0 || at >= sides[axis]) return -1;
      rest /= sides[axis];
      direction /= 3;
    }
    return start + steps * step;
  }

  void list_ending() {
    ending.resize(cells);
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (ends[i] >= 0) ending[ends[i]].push_back(static_cast<std::uint16_t>(i / 2));
  }

  void list_lines_through() {
    begin.assign(cells + 1, 0);
    for (auto cell : cells_of) ++begin[cell + 1];
    for (int cell = 0; cell < cells; ++cell) begin[cell + 1] += begin[cell];
    through.resize(cells_of.size());
    auto next = begin;
    for (std::size_t i = 0; i < cells_of.size(); ++i)
      through[next[cells_of[i]]++] = static_cast<std::uint16_t>(i / line);
  }

  void make_masks() {
    for (int cell = 0; cell < cells; ++cell)
      mask_width = std::max(mask_width, static_cast<int>(begin[cell + 1] - begin[cell]));
    mask_width = (mask_width + 3) / 4 * 4;
    // A full mask as padding is never completed before the board is full of one side's marks, which can't be.
    masks.assign(static_cast<std::size_t>(cells) * mask_width, ~std::uint64_t{0});
    for (int cell = 0; cell < cells; ++cell) {
      auto* out = &masks[static_cast<std::size_t>(cell) * mask_width];
      each_line_through(cell, [&](int number) {
        std::uint64_t mask = 0;
        for (int k = 0; k < line; ++k) mask |= std::uint64_t{1} << line_cells(number)[k];
        *out++ = mask;
      });
    }
  }
};

// The marks on the board. `open` holds the cells that may be marked now.
template <int W>
struct Board {
  std::array<Bits<W>, 2> marks;
  Bits<W> open;
  int free = 0;    // cells without a mark
  int choices = 0; // members of `open`
  int side = 0;    // to move
  int by_line = -1;  // the side that completed a line

  // One of `x`, `o` and `.` for each cell, in cell order. Throws std::invalid_argument.
  static Board read(const Shape& shape, std::string_view text) {
    if (static_cast<int>(text.size()) != shape.cells) throw std::invalid_argument("position: length");
    Board board;
    int crosses = 0;
    for (int cell = 0; cell < shape.cells; ++cell) {
      const char sign = text[cell];
      if (sign != 'x' && sign != 'o' && sign != '.') throw std::invalid_argument("position: sign");
      const bool grounded = !shape.gravity || cell < shape.level || text[cell - shape.level] != '.';
      if (sign == '.') {
        ++board.free;
        if (grounded) {
          board.open.set(cell);
          ++board.choices;
        }
        continue;
      }
      if (!grounded) throw std::invalid_argument("position: floating");
      board.marks[sign == 'o'].set(cell);
      crosses += sign == 'x' ? 1 : -1;
    }
    if (crosses != 0 && crosses != 1) throw std::invalid_argument("position: counts");
    board.side = crosses;
    for (int number = 0; number < shape.lines; ++number)
      for (int side = 0; side < 2; ++side)
        if (shape.filled(number, [&](int cell) { return board.marks[side].test(cell); })) board.by_line = side;
    return board;
  }

  bool over() const { return by_line >= 0 || free == 0; }

  // 0 or 1 for the winner's side, 2 for a draw; only where the game is over.
  int result(const Shape& shape) const { return by_line < 0 ? 2 : shape.misere ? 1 - by_line : by_line; }

  // Mark an open cell; the game must not be over.
  void play(const Shape& shape, int cell) {
    marks[side].set(cell);
    open.clear(cell);
    --free;
    --choices;
    if (shape.gravity && cell + shape.level < shape.cells) {
      open.set(cell + shape.level);
      ++choices;
    }
    if (completes(shape, marks[side], cell)) by_line = side;
    side ^= 1;
  }

  // Apart, so that the plain game's play-outs stay short.
  [[gnu::noinline, gnu::cold]] static bool completes_exactly(const Shape& shape, const Bits<W>& mine, int cell) {
    const auto marked = [&](int at) { return mine.test(at); };
    for (auto i = shape.begin[cell]; i < shape.begin[cell + 1]; ++i)
      if (shape.filled(shape.through[i], marked)) return true;
    return false;
  }

  static bool completes(const Shape& shape, const Bits<W>& mine, int cell) {
    if (shape.exact) [[unlikely]] return completes_exactly(shape, mine, cell);
    if constexpr (W == 1) {
      // All masks are tried without leaving early: the number of turns is the same for every cell, so the branch
      // predictor never misses.
      const auto* mask = &shape.masks[static_cast<std::size_t>(cell) * shape.mask_width];
      const auto rest = ~mine.word[0];
      bool found = false;
      for (int i = 0; i < shape.mask_width; i += 4) {
        found |= ((rest & mask[i]) == 0) | ((rest & mask[i + 1]) == 0) | ((rest & mask[i + 2]) == 0) |
                 ((rest & mask[i + 3]) == 0);
      }
      return found;
    } else {
      for (auto i = shape.begin[cell]; i < shape.begin[cell + 1]; ++i) {
        const auto* of = shape.line_cells(shape.through[i]);
        int k = 0;
        while (k < shape.line && mine.test(of[k])) ++k;
        if (k == shape.line) return true;
      }
      return false;
    }
  }
};

// How many sequences of exactly `depth` moves there are.
template <int W>
std::uint64_t perft(const Shape& shape, const Board<W>& board, int depth) {
  if (depth <= 0) return 1;
  if (board.over()) return 0;
  if (depth == 1) return static_cast<std::uint64_t>(board.choices);
  std::uint64_t count = 0;
  board.open.each([&](int cell) {
    Board<W> next = board;
    next.play(shape, cell);
    count += perft(shape, next, depth - 1);
  });
  return count;
}

// Play to the end at random; the result as of Board::result.
template <int W, bool Pdep, class Visit>
int play_out(const Shape& shape, Board<W>& board, SplitMix64& random, Visit visit) {
  while (!board.over()) {
    const int cell = nth<W, Pdep>(board.open, random.below(static_cast<std::uint32_t>(board.choices)));
    visit(cell);
    board.play(shape, cell);
  }
  return board.result(shape);
}

template <int W, bool Pdep>
Tally playouts(const Shape& shape, const Board<W>& start, std::uint64_t seed, std::uint64_t games) {
  SplitMix64 random(seed);
  Tally tally;
  for (std::uint64_t game = 0; game < games; ++game) {
    Board<W> board = start;
    const int result =
        play_out<W, Pdep>(shape, board, random, [&](int cell) { tally.mix(static_cast<std::uint64_t>(cell)); });
    tally.ended(result);
  }
  return tally;
}

// `portable` leaves out instructions that not every processor has.
template <int W>
Tally playouts(const Shape& shape, const Board<W>& start, std::uint64_t seed, std::uint64_t games, bool portable) {
  return has_pdep() && !portable ? playouts<W, true>(shape, start, seed, games)
                                 : playouts<W, false>(shape, start, seed, games);
}

}  // namespace kletka::tictactoe
