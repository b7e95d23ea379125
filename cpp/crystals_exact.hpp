// Exact values of small positions for two: how many squares more than the other side the mover grows from here on when
// both want as many as they can. Every legal crystal may be grown, and every seat may pass. Scores so far take no part.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "crystals.hpp"
#include "crystals_frontier.hpp"
#include "crystals_rules.hpp"
#include "search.hpp"

namespace kletka::crystals {

struct Solved {
  int net = 0;  // for the mover
  int atom = -1;
  std::vector<std::vector<int>> crystals;
  bool known = false;  // false where the watch ended the search, or too much was asked
};

// Alpha-beta by null windows with a table of whole keys, over the squares that some crystal may still cover.
class Solver {
 public:
  static constexpr int kMostSquares = 26;
  static constexpr std::size_t kMostIdle = 32;  // of the squares that matter, too, any may matter no more in the end
  static constexpr std::size_t kMostShapes = 20'000;

  // The table has 2^bits places; more than `most` free squares that matter are not taken on.
  Solver(const Position& position, int most, int bits, Watch& watch)
      : options_(position.sheet.paper().options), watch_(watch) {
    if (options_.seats != 2 || position.gone != 0 || position.turn < 0) throw std::invalid_argument("two seats at play");
    if (swaps(position)) throw std::invalid_argument("a swap");
    const auto& cells = position.sheet.cells();
    const std::array<std::vector<bool>, 2> covered{reach(position.sheet, 0), reach(position.sheet, 1)};
    number_.assign(cells.size(), -1);
    int free = 0;
    for (std::size_t square = 0; square < cells.size(); ++square)
      if (covered[0][square] || covered[1][square]) {
        number_[square] = static_cast<int>(squares_.size());
        squares_.push_back(static_cast<int>(square));
        free += cells[square] == kFree;
      } else if (cells[square] == kFree) {
        idle_.push_back(static_cast<int>(square));
      }
    small_ = squares_.size() <= kMostSquares && squares_.size() + idle_.size() < kMostIdle && free <= most;
    if (!small_) return;
    find_shapes(position.sheet.paper());
    if (!small_) return;
    table_.resize(std::size_t{1} << bits);
    root_.idle = static_cast<int>(idle_.size());
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      const std::uint32_t bit = 1u << i;
      const auto sign = cells[static_cast<std::size_t>(squares_[i])];
      (sign == kFree ? root_.free : sign == position.turn + 1 ? root_.mine : root_.theirs) |= bit;
    }
    root_.passed = position.passed != 0;
  }

  Solved solve() {
    Solved solved;
    if (!small_) return solved;
    State root = root_;
    const auto viable = look(root, shapes_);
    const int bound = static_cast<int>(squares_.size());
    int low = -bound, high = bound, guess = 0;
    while (low < high && !watch_.stopped()) {
      const int beta = std::max(guess, low + 1);
      guess = value(root_, shapes_, beta - 1, beta);
      (guess < beta ? high : low) = guess;
    }
    solved.net = low;
    // The move that gets as much.
    const auto found = moves(root, viable, 0);
    const auto best = std::find_if(found.begin(), found.end(), [&](const Choice& choice) {
      return watch_.stopped() || after(root, viable, choice, low - 1, low) >= low;
    });
    solved.known = best != found.end() && !watch_.stopped();
    if (!solved.known) return solved;
    if (best->atom >= 0) solved.atom = squares_[static_cast<std::size_t>(best->atom)];
    // Any square that matters to no crystal.
    if (best->idle)
      solved.atom = idle_.empty() ? squares_[static_cast<std::size_t>(std::countr_zero(root_.free & ~root.free))]
                                  : idle_.front();
    for (int number = 0; number < best->shapes; ++number) {
      solved.crystals.push_back({});
      for (std::uint32_t left = best->grown[static_cast<std::size_t>(number)]; left != 0; left &= left - 1)
        solved.crystals.back().push_back(squares_[static_cast<std::size_t>(std::countr_zero(left))]);
    }
    return solved;
  }

  std::size_t shapes() const { return shapes_.size(); }

 private:
  using Shapes = std::vector<std::uint32_t>;

  struct State {
    std::uint32_t mine = 0, theirs = 0, free = 0;
    int idle = 0;  // free squares that matter to no crystal
    bool passed = false;
  };

  struct Choice {
    int atom = -1;
    bool idle = false;  // the atom goes where it doesn't matter
    std::array<std::uint32_t, kMostSquares / 4> grown{};
    int shapes = 0;
    int gain = 0;
    int order = 0;
  };

  struct Entry {
    std::uint32_t mine = 0, theirs = 0;
    std::uint32_t free = ~0u;
    std::int8_t low = 0, high = 0;
    std::int8_t atom = -1;
  };

  // Leaves the shapes that somebody can still grow, and takes what matters to none of them out of the state.
  Shapes look(State& state, const Shapes& shapes) const {
    Shapes viable;
    viable.reserve(shapes.size());
    std::uint32_t mine = 0, theirs = 0;
    const std::uint32_t all = state.mine | state.theirs | state.free;
    for (const auto shape : shapes) {
      if (shape & ~all) continue;
      const bool for_me = (shape & state.theirs) == 0;
      const bool for_them = (shape & state.mine) == 0;
      if (!for_me && !for_them) continue;
      viable.push_back(shape);
      if (for_me) mine |= shape;
      if (for_them) theirs |= shape;
    }
    state.mine &= mine;
    state.theirs &= theirs;
    state.idle += std::popcount(state.free & ~(mine | theirs));
    state.free &= mine | theirs;
    return viable;
  }

  int value(State state, const Shapes& shapes, int alpha, int beta) {
    const Shapes viable = look(state, shapes);
    if (viable.empty() || (options_.full && state.free == 0 && state.idle == 0)) return 0;
    std::uint32_t mine = 0, theirs = 0;
    for (const auto shape : viable) {
      if ((shape & state.theirs) == 0) mine |= shape;
      if ((shape & state.mine) == 0) theirs |= shape;
    }
    int high = std::popcount(mine);
    int low = -std::popcount(theirs);
    if (state.passed) low = std::max(low, 0);  // by passing too
    if (low >= beta) return low;
    if (high <= alpha) return high;
    Entry& entry = table_[place(state)];
    const bool met = same(entry, state);
    if (met) {
      low = std::max<int>(low, entry.low);
      high = std::min<int>(high, entry.high);
      if (low >= beta || low == high) return low;
      if (high <= alpha) return high;
    }
    if (watch_.visit()) return 0;
    int best = state.passed ? 0 : -128;
    int best_atom = -1;
    const auto found = moves(state, viable, met ? entry.atom + 1 : 0);
    for (const Choice& choice : found) {
      if (best >= beta) break;
      const int net = after(state, viable, choice, std::max(alpha, best), beta);
      if (watch_.stopped()) return 0;
      if (net <= best) continue;
      best = net;
      best_atom = choice.atom;
    }
    if (best >= beta)
      low = std::max(low, best);
    else
      high = std::min(high, best);
    store(state, low, high, best_atom);
    return best;
  }

  // What the mover has after a choice: exact within the window, else a bound.
  int after(const State& state, const Shapes& viable, const Choice& choice, int alpha, int beta) {
    State next{state.theirs, state.mine, state.free, state.idle - choice.idle, false};
    if (choice.atom >= 0) {
      next.theirs |= 1u << choice.atom;
      next.free &= ~(1u << choice.atom);
    }
    for (int number = 0; number < choice.shapes; ++number) {
      next.theirs &= ~choice.grown[static_cast<std::size_t>(number)];
      next.free &= ~choice.grown[static_cast<std::size_t>(number)];
    }
    if (choice.atom < 0 && !choice.idle && choice.shapes == 0) {
      if (state.passed) return 0;
      next.passed = true;
    }
    return choice.gain - value(next, viable, choice.gain - beta, choice.gain - alpha);
  }

  // Every turn, the promising ones first; `first`: one more than the atom to begin with, 0 for none.
  std::vector<Choice> moves(const State& state, const Shapes& viable, int first) const {
    std::array<int, kMostSquares> weight{};
    for (const auto shape : viable) {
      const int mine = std::popcount(shape & state.mine), theirs = std::popcount(shape & state.theirs);
      const int worth = 1 + std::popcount(shape) * (mine + theirs) * (mine + theirs);
      for (std::uint32_t left = shape & state.free; left != 0; left &= left - 1) weight[static_cast<std::size_t>(std::countr_zero(left))] += worth;
    }
    std::vector<Choice> found;
    const auto turns = [&](Choice choice, std::uint32_t mine, std::uint32_t free) {
      choice.order += first > 0 && choice.atom == first - 1 ? 1 << 24 : 0;
      found.push_back(choice);
      grow(viable, 0, mine, free, choice, found);
    };
    for (std::uint32_t left = state.free; left != 0; left &= left - 1) {
      const int atom = std::countr_zero(left);
      turns({atom, false, {}, 0, 0, weight[static_cast<std::size_t>(atom)]}, state.mine | 1u << atom, state.free & ~(1u << atom));
    }
    if (state.idle > 0) turns({-1, true, {}, 0, 0, -1}, state.mine, state.free);
    turns({-1, false, {}, 0, 0, -2}, state.mine, state.free);
    std::stable_sort(found.begin(), found.end(), [](const Choice& a, const Choice& b) { return a.order > b.order; });
    return found;
  }

  // Adds the turns that grow shapes from number `from` on as well.
  void grow(const Shapes& viable, std::size_t from, std::uint32_t mine, std::uint32_t free, const Choice& before,
            std::vector<Choice>& found) const {
    const std::uint32_t within = options_.full ? mine : mine | free;
    for (std::size_t number = from; number < viable.size(); ++number) {
      const std::uint32_t shape = viable[number];
      if ((shape & ~within) || std::popcount(shape & mine) < options_.least) continue;
      Choice grown = before;
      grown.grown[static_cast<std::size_t>(grown.shapes++)] = shape;
      grown.gain += std::popcount(shape);
      grown.order += std::popcount(shape) << 16;
      found.push_back(grown);
      if (options_.any) grow(viable, number + 1, mine & ~shape, free & ~shape, grown, found);
    }
  }

  static std::uint32_t packed(const State& state) {
    return state.free | static_cast<std::uint32_t>(state.passed) << kMostSquares |
           static_cast<std::uint32_t>(state.idle) << (kMostSquares + 1);
  }

  bool same(const Entry& entry, const State& state) const {
    return entry.free == packed(state) && entry.mine == state.mine && entry.theirs == state.theirs;
  }

  std::size_t place(const State& state) const {
    std::uint64_t hash = state.mine;
    for (const std::uint32_t word : {state.theirs, packed(state)}) hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return (hash ^ hash >> 32) & (table_.size() - 1);
  }

  void store(const State& state, int low, int high, int atom) {
    table_[place(state)] = {state.mine,  state.theirs, packed(state), static_cast<std::int8_t>(low),
                            static_cast<std::int8_t>(high), static_cast<std::int8_t>(atom)};
  }

  // All shapes that a crystal may have among the squares.
  void find_shapes(const Paper& paper) {
    for (std::size_t at = 0, end; at < paper.figures.size(); at = end) {
      end = detail::alike(paper, at);
      if (options_.interlock)
        cut(paper, paper.figures[at]);
      else
        for (std::size_t figure = at; figure < end; ++figure) stack(paper, paper.figures[figure], 0, 0);
    }
    std::sort(shapes_.begin(), shapes_.end());
    shapes_.erase(std::unique(shapes_.begin(), shapes_.end()), shapes_.end());
    std::stable_sort(shapes_.begin(), shapes_.end(),
                     [](std::uint32_t a, std::uint32_t b) { return std::popcount(a) > std::popcount(b); });
  }

  void keep(std::uint32_t shape) {
    if (std::popcount(shape) < options_.least) return;
    shapes_.push_back(shape);
    small_ = shapes_.size() <= kMostShapes;
  }

  // The mask of an orbit; 0 where one of its squares is dead.
  std::uint32_t orbit(const Paper& paper, std::uint32_t row, int i) const {
    std::uint32_t mask = 0;
    for (const auto square : paper.squares(row, i)) {
      if (number_[square] < 0) return 0;
      mask |= 1u << number_[square];
    }
    return mask;
  }

  // Without interlocking: rows one upon the other.
  void stack(const Paper& paper, const Figure& figure, int a, std::uint32_t below) {
    if (a == figure.count || !small_) return;
    const std::uint32_t row = figure.row + static_cast<std::uint32_t>(a);
    std::uint32_t shape = below;
    for (int i = 0; i < paper.rows[row].length; ++i) {
      const std::uint32_t more = orbit(paper, row, i);
      if (more == 0) return;
      shape |= more;
      keep(shape);
      if (i + 1 >= figure.needed()) stack(paper, figure, a + 1, shape);
    }
  }

  // With it: every set of orbits that is joined and leaves no hole.
  void cut(const Paper& paper, const Figure& figure) {
    constexpr int kMostOrbits = 16;
    const Folded folded(paper, figure);
    Folded::Rows open{};
    for (int a = 0; a < figure.count; ++a)
      for (int b = 0; b + 1 < folded.columns(); ++b)
        if (folded.has(b, a) && orbit(paper, folded.row(a), folded.orbit(b, a)) != 0) open[a] |= 1u << b;
    open = folded.joined(open);
    std::vector<std::pair<int, int>> orbits;
    for (int a = 0; a < figure.count; ++a)
      for (std::uint32_t left = open[a]; left != 0; left &= left - 1) orbits.push_back({std::countr_zero(left), a});
    if (orbits.empty()) return;
    small_ = small_ && static_cast<int>(orbits.size()) <= kMostOrbits;
    if (!small_) return;
    for (std::uint32_t set = 1; set < 1u << orbits.size(); set += 2) {
      Folded::Rows taken{};
      std::uint32_t shape = 0;
      for (std::uint32_t left = set; left != 0; left &= left - 1) {
        const auto [b, a] = orbits[static_cast<std::size_t>(std::countr_zero(left))];
        taken[a] |= 1u << b;
        shape |= orbit(paper, folded.row(a), folded.orbit(b, a));
      }
      if (folded.joined(taken) == taken && !folded.holed(taken)) keep(shape);
    }
  }

  Options options_;
  Watch& watch_;
  std::vector<Entry> table_;
  std::vector<int> squares_, number_, idle_;
  bool small_ = true;  // enough to be taken on
  Shapes shapes_;
  State root_;
};

}  // namespace kletka::crystals
