// Tic-tac-toe as the searches see it: a position with counts for every line for alpha-beta, a plain board for UCT.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "alphabeta.hpp"
#include "bits.hpp"
#include "tictactoe.hpp"
#include "uct.hpp"

namespace kletka::tictactoe {

// Keeps for each line the marks of both sides, and from these, for each side and cell, the promise of a mark there,
// the cells that complete a line and the cells that would leave one short of it. A line with marks of both sides is
// dead and counts nowhere; so is, where lines are exact, one that the side's own marks would make too long. No mark that completes a line is ever played: `glance` says what it would do.
template <int W>
class Position {
 public:
  using Key = std::array<Bits<W>, 2>;

  Position(const Shape& shape, const Board<W>& board)
      : shape_(shape), open_(board.open), free_(board.free), side_(board.side) {
    for (int side = 0; side < 2; ++side) {
      count_[side].assign(shape.lines, 0);
      promise_[side].assign(shape.cells, 0);
      completing_[side].assign(shape.cells, 0);
      longer_[side].assign(shape.exact ? shape.lines : 0, 0);
      nearing_[side].assign(shape.cells, 0);
    }
    weigh();
    for (int number = 0; number < shape.lines; ++number)
      for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < shape.line; ++k)
          count_[side][number] += board.marks[side].test(shape.line_cells(number)[k]);
        for (int end = 0; shape.exact && end < 2; ++end) {
          const int cell = shape.ends[2 * static_cast<std::size_t>(number) + end];
          longer_[side][number] += cell >= 0 && board.marks[side].test(cell);
        }
      }
    marks_ = board.marks;
    for (int side = 0; side < 2; ++side)
      for (int number = 0; number < shape.lines; ++number)
        if (alive(side, number)) enter(side, number, count_[side][number], -1);
    SplitMix64 random(0);
    for (auto& keys : zobrist_) {
      keys.resize(shape.cells);
      for (auto& key : keys) key = random.next();
    }
    for (int side = 0; side < 2; ++side) marks_[side].each([&](int cell) { hash_ ^= zobrist_[side][cell]; });
  }

  Key key() const { return marks_; }
  std::uint64_t hash() const { return hash_; }
  int plies_left() const { return free_; }

  Glance glance() const {
    if (free_ == 0 || (alive_[0] == 0 && alive_[1] == 0)) return {Glance::drawn, 0, open_.any() ? open_.first() : -1};
    const Bits<W> mine = complete_[side_] & open_;
    if (shape_.misere) {
      if (!open_.without(mine).any()) return {Glance::lost, 1, open_.first()};
      return {};
    }
    if (mine.any()) return {Glance::won, 1, mine.first()};
    const Bits<W> theirs = complete_[side_ ^ 1] & open_;
    if (!theirs.any()) return {};
    return {theirs.several() ? Glance::lost : Glance::forced, 2, theirs.first()};
  }

  int estimate() const {
    const int ahead = potential_[side_] - potential_[side_ ^ 1];
    const int seen = shape_.misere ? -ahead : ahead + tempo_;
    return std::clamp(seen, -kEstimate + kMostPlies, kEstimate - kMostPlies);
  }

  bool candidates(std::vector<Candidate>& moves, bool all) const {
    const Bits<W> allowed = bearable();
    // On a wide board a mark far from all others is left out: it takes part in no line that has begun.
    const bool near_only = !all && !shape_.misere && shape_.cells > 64 && free_ < shape_.cells;
    allowed.each([&](int cell) {
      if (near_only && !begun(cell)) return;
      const int mine = promise_[side_][cell];
      const int theirs = promise_[side_ ^ 1][cell];
      moves.push_back({cell, shape_.misere ? -mine - theirs : 2 * mine + theirs + centre_[cell]});
    });
    if (moves.empty()) allowed.each([&](int cell) { moves.push_back({cell, 0}); });
    return near_only;
  }

  void threats(std::vector<Candidate>& moves) const {
    if (shape_.misere) return;
    (near_[side_] & open_).each([&](int cell) {
      moves.push_back({cell, 2 * promise_[side_][cell] + promise_[side_ ^ 1][cell]});
    });
  }

  bool allows(int cell) const { return open_.test(cell); }

  bool forces() const { return !shape_.misere && (complete_[side_ ^ 1] & open_).any(); }

  void play(int cell) {
    shape_.each_line_through(cell, [&](int number) { change(number, cell, 1); });
    if (shape_.exact) lengthen(cell);
    marks_[side_].set(cell);
    hash_ ^= zobrist_[side_][cell];
    open_.clear(cell);
    if (shape_.gravity && cell + shape_.level < shape_.cells) open_.set(cell + shape_.level);
    --free_;
    side_ ^= 1;
  }

  void undo(int cell) {
    side_ ^= 1;
    ++free_;
    if (shape_.gravity && cell + shape_.level < shape_.cells) open_.clear(cell + shape_.level);
    open_.set(cell);
    hash_ ^= zobrist_[side_][cell];
    marks_[side_].clear(cell);
    if (shape_.exact) shorten(cell);
    shape_.each_line_through(cell, [&](int number) { change(number, cell, -1); });
  }

 private:
  // The open cells without those that complete a line in misère, or open a line's last cell to the other side under
  // gravity; all of them where no other is left.
  Bits<W> bearable() const {
    Bits<W> cells = open_;
    if (shape_.misere) {
      cells = open_.without(complete_[side_]);
    } else if (shape_.gravity) {
      complete_[side_ ^ 1].each([&](int cell) {
        if (cell >= shape_.level) cells.clear(cell - shape_.level);
      });
    }
    return cells.any() ? cells : open_;
  }

  // Promise and potential of a live line by how many marks it lacks; each missing mark fewer weighs several times more.
  void weigh() {
    static constexpr int kPromise[] = {0, 4000, 600, 90, 16, 4};
    static constexpr int kPotential[] = {0, 120, 60, 12, 3, 1};
    promise_of_.assign(shape_.line + 1, 1);
    potential_of_.assign(shape_.line + 1, 0);
    for (int marks = 0; marks <= shape_.line; ++marks) {
      const int lacking = shape_.line - marks;
      if (lacking < 6) {
        promise_of_[marks] = kPromise[lacking];
        potential_of_[marks] = kPotential[lacking];
      }
    }
    tempo_ = 12;
    // Among equals the cell nearer to the middle is tried first.
    centre_.assign(shape_.cells, 0);
    for (int cell = 0; cell < shape_.cells; ++cell) {
      int rest = cell;
      for (auto side = shape_.sides.rbegin(); side != shape_.sides.rend(); ++side) {
        centre_[cell] -= std::abs(2 * (rest % *side) + 1 - *side);
        rest /= *side;
      }
    }
  }

  bool begun(int cell) const {
    return promise_[0][cell] > idle(cell) || promise_[1][cell] > idle(cell);
  }

  int idle(int cell) const { return static_cast<int>(shape_.begin[cell + 1] - shape_.begin[cell]) * promise_of_[0]; }

  // The mover's mark on a cell of a line comes (by = 1, before it is on the board) or goes (-1, after it has left).
  void change(int number, int cell, int by) {
    auto& mine = count_[side_][number];
    const int theirs = count_[side_ ^ 1][number];
    if (by < 0) --mine;
    if (theirs == 0 && !too_long(side_, number)) {
      if (by > 0) {
        leave(side_, number, mine, -1);
        enter(side_, number, mine + 1, cell);
      } else {
        leave(side_, number, mine + 1, cell);
        enter(side_, number, mine, -1);
      }
    }
    // The first mark in it takes the line from the other side.
    if (mine == 0 && !too_long(side_ ^ 1, number)) {
      if (by > 0)
        leave(side_ ^ 1, number, theirs, -1);
      else
        enter(side_ ^ 1, number, theirs, -1);
    }
    if (by > 0) ++mine;
  }

  bool too_long(int side, int number) const { return shape_.exact && longer_[side][number] > 0; }

  bool alive(int side, int number) const { return count_[side ^ 1][number] == 0 && !too_long(side, number); }

  // The mover's mark on a cell comes, or has gone: the lines that it makes too long.
  void lengthen(int cell) {
    for (const int number : shape_.ending[cell]) {
      if (alive(side_, number)) leave(side_, number, count_[side_][number], -1);
      ++longer_[side_][number];
    }
  }

  void shorten(int cell) {
    for (const int number : shape_.ending[cell]) {
      --longer_[side_][number];
      if (alive(side_, number)) enter(side_, number, count_[side_][number], -1);
    }
  }

  void enter(int side, int number, int marks, int taken) { weigh_line<1>(side, number, marks, taken); }
  void leave(int side, int number, int marks, int taken) { weigh_line<-1>(side, number, marks, taken); }

  // Add or take away what a live line with so many marks of a side means; `taken` counts as marked.
  template <int Sign>
  void weigh_line(int side, int number, int marks, int taken) {
    const int lacking = shape_.line - marks;
    const auto* cells = shape_.line_cells(number);
    const int promise = Sign * promise_of_[marks];
    for (int k = 0; k < shape_.line; ++k) promise_[side][cells[k]] += promise;
    potential_[side] += Sign * potential_of_[marks];
    alive_[side] += Sign;
    if (lacking > 2 || lacking == 0) return;
    auto& counts = lacking == 1 ? completing_[side] : nearing_[side];
    auto& set = lacking == 1 ? complete_[side] : near_[side];
    for (int k = 0; k < shape_.line; ++k) {
      const int cell = cells[k];
      if (cell == taken || marks_[side].test(cell)) continue;
      counts[cell] = static_cast<std::uint16_t>(counts[cell] + Sign);
      if (counts[cell] == 0)
        set.clear(cell);
      else
        set.set(cell);
    }
  }

  const Shape& shape_;
  std::array<Bits<W>, 2> marks_;
  Bits<W> open_;
  int free_;
  int side_;
  std::uint64_t hash_ = 0;
  std::array<std::vector<std::uint64_t>, 2> zobrist_;
  std::array<std::vector<std::uint8_t>, 2> count_;         // marks in each line
  std::array<std::vector<std::uint8_t>, 2> longer_;        // exact: marks that would make the line too long
  std::array<std::vector<int>, 2> promise_;                // of each cell
  std::array<std::vector<std::uint16_t>, 2> completing_;   // lines that a mark on the cell would complete
  std::array<std::vector<std::uint16_t>, 2> nearing_;      // lines that lack this cell and one other
  std::array<Bits<W>, 2> complete_;                        // where completing_ isn't 0
  std::array<Bits<W>, 2> near_;                            // where nearing_ isn't 0
  std::array<int, 2> potential_{};
  std::array<int, 2> alive_{};                             // lines without marks of the other side
  std::vector<int> promise_of_;
  std::vector<int> potential_of_;
  std::vector<int> centre_;
  int tempo_ = 0;
};

// A board with its shape, as UCT copies it.
template <int W>
class RolloutBoard {
 public:
  RolloutBoard(const Shape& shape, const Board<W>& board) : shape_(&shape), board_(board), pdep_(has_pdep()) {}

  static constexpr int kSeats = 2;

  bool over() const { return board_.over(); }
  int seat() const { return board_.side; }
  Gains<2> gains() const { return gains_of(board_.result(*shape_)); }
  void play(int cell) { board_.play(*shape_, cell); }

  void moves(std::vector<int>& out) const {
    board_.open.each([&](int cell) { out.push_back(cell); });
  }

  Gains<2> play_out(SplitMix64& random, int& plies) {
    const auto count = [&](int) { ++plies; };
    return gains_of(pdep_ ? tictactoe::play_out<W, true>(*shape_, board_, random, count)
                          : tictactoe::play_out<W, false>(*shape_, board_, random, count));
  }

 private:
  const Shape* shape_;
  Board<W> board_;
  bool pdep_;
};

}  // namespace kletka::tictactoe
