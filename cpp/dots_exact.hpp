// Exact values of dots games for two: how many coins more than the other side the mover gets from here on when both
// want as many as they can (in misère: as few). Scores so far don't matter for that, so they take no part.
//
// All searches here answer one question, whether a value is at least so much, and the value is found by halving. All
// coins left are shared out between the two, so that a value is odd where they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "dots.hpp"
#include "dots_left.hpp"
#include "dots_memory.hpp"
#include "dots_strings.hpp"
#include "search.hpp"

namespace kletka::dots {

// Two ways to search, for values that are found twice: `whole` keeps each position by all its lines as they lie,
// without counting strings or turning the board, and opens every string; `outward` looks at lines near the border first.
struct Manner {
  bool whole = false;
  bool outward = false;
};

struct Solved {
  int low = 0;             // low <= value <= high: for the mover; in misère the coins that the other side gets more
  int high = 0;
  std::vector<int> best;   // lines that are worth that; where only one is asked for, one that is best in normal form

  bool known() const { return low == high; }
};

// Told after every question: what is known of the value.
using Halved = std::function<void(int low, int high)>;

// A watch ended the search.
struct Stopped {};

// How many of each kind of string stand alone, in 40 bits: no more than the bits hold are counted, the others stay
// among the lines.
class Strings {
 public:
  struct Kind {
    int coins;
    int bits;
    bool loop;
    int shift = 0;

    std::uint64_t one() const { return std::uint64_t{1} << shift; }
    std::uint64_t mask() const { return (one() << bits) - one(); }
  };

  // Short ones first, chains before loops.
  static const std::array<Kind, 14>& kinds() {
    static const auto made = [] {
      std::array<Kind, 14> kinds{{{1, 4, false}, {2, 4, false}, {3, 4, false}, {4, 3, false}, {5, 3, false},
                                  {6, 3, false}, {7, 2, false}, {8, 2, false}, {9, 2, false}, {10, 2, false},
                                  {4, 3, true}, {6, 3, true}, {8, 3, true}, {10, 2, true}}};
      int shift = 0;
      for (auto& kind : kinds) {
        kind.shift = shift;
        shift += kind.bits;
      }
      return kinds;
    }();
    return made;
  }

  // The kind of a string; nullptr where it isn't counted.
  static const Kind* kind(const String& string) {
    if (!string.loop && !string.grounded) return nullptr;
    for (const auto& kind : kinds())
      if (kind.loop == string.loop && kind.coins == string.coins) return &kind;
    return nullptr;
  }
};

// Whether values are at least so much. In normal play captures are in normal form; in misère, where they have none,
// every line is looked at.
template <int W>
class Solver {
 public:
  // `left` has at most 64 * W lines.
  Solver(const Left& left, Manner manner, std::uint64_t memory, Watch& watch)
      : graph_(left.graph), whole_(manner.whole), memory_(memory), watch_(watch),
        turns_(Turns::of(graph_, manner.whole ? 1 : kMostTurns)), later_(static_cast<std::size_t>(graph_.lines)),
        lists_(static_cast<std::size_t>(graph_.lines) + 1) {
    for (int line = 0; line < graph_.lines; ++line)
      for (int later = line + 1; later < graph_.lines; ++later)
        if (graph_.alike[later] == graph_.alike[line]) later_[line].set(later);
  }

  // Whether the mover nets at least `target`, whatever may be takeable. Throws Stopped.
  bool at_least(const Bits<W>& lines, int target) {
    const Root root = read(lines);
    return is_at_least(root.offer, root.position, target);
  }

  // A line that nets `value`, which is the most there is. Throws Stopped.
  int line_for(const Bits<W>& lines, int value) {
    const Root root = read(lines);
    const Offer& offer = root.offer;
    if (offer.take >= 0) {
      const bool leave = offer.taken == 0 && offer.held > 0 && !value_at_least(root.position, value - offer.held);
      return leave ? offer.leave : offer.take;
    }
    std::size_t turn = 0;
    const auto key = key_of(root.position, turn);
    const int move = answer(root.position, value, known(root.position, key).move, turn);
    return move < kCounted ? move : opening(lines, Strings::kinds()[move - kCounted]);
  }

 private:
  static constexpr std::size_t kMostTurns = 8;
  static constexpr int kCounted = 128;  // moves from here on open a counted string of that kind

  // A position: the lines outside counted strings, as they lie after each turn of the board. In normal play nothing is
  // takeable.
  struct Position {
    std::array<Bits<W>, kMostTurns> images;
    std::uint64_t strings = 0;
    int coins = 0;  // left, in all

    const Bits<W>& lines() const { return images[0]; }
  };

  struct Root {
    Offer offer;
    Position position;  // once what is offered is taken
  };

  // A move: what it offers the other side, or, where the mover draws `again`, what it gained.
  struct Child {
    Position position;
    Offer offer;
    int move = 0;
    bool again = false;
    bool open = true;  // not refuted yet
    std::size_t turn = 0;
    Key<W> key = {};
  };

  Root read(const Bits<W>& lines) const {
    Root root;
    Bits<W> rest = lines;
    if (!graph_.misere) root.offer = take_offer(graph_, rest, takeable(graph_, lines));
    for (std::size_t i = 0; i < turns_.size(); ++i)
      rest.each([&](int line) { root.position.images[i].set(turns_[i][line]); });
    for (int coin = 0; coin < graph_.coins; ++coin) root.position.coins += lacking(graph_, rest, coin) > 0;
    for (int coin = 0; coin < graph_.coins; ++coin) count_string(root.position, coin);
    return root;
  }

  int opening(const Bits<W>& lines, const Strings::Kind& kind) const {
    Bits<2> seen;
    for (int coin = 0; coin < graph_.coins; ++coin) {
      if (seen.test(coin) || lacking(graph_, lines, coin) != 2) continue;
      Bits<W> walked;
      const String string = string_through(graph_, lines, coin, walked, seen);
      if (Strings::kind(string) == &kind) return string.opening;
    }
    return -1;
  }

  void draw(Position& position, int line) const {
    for (std::size_t i = 0; i < turns_.size(); ++i) position.images[i].clear(turns_[i][line]);
  }

  // Take the string through a coin out of the lines where it stands alone.
  void count_string(Position& position, int coin) const {
    if (whole_ || graph_.misere || lacking(graph_, position.lines(), coin) != 2) return;
    const int end = walk(graph_, position.lines(), coin, lacking_line(graph_, position.lines(), coin), [](int, int) {});
    if (end >= 0 && end != coin) return;
    Bits<W> lines;
    Bits<2> coins;
    const auto* kind = Strings::kind(string_through(graph_, position.lines(), coin, lines, coins));
    if (!kind || (position.strings & kind->mask()) == kind->mask()) return;
    lines.each([&](int line) { draw(position, line); });
    position.strings += kind->one();
  }

  // The least image, and after which turn it is.
  Key<W> key_of(const Position& position, std::size_t& turn) const {
    turn = 0;
    for (std::size_t i = 1; i < turns_.size(); ++i)
      if (position.images[i] < position.images[turn]) turn = i;
    return {position.images[turn], position.strings};
  }

  int turned(int move, std::size_t turn) const { return move < kCounted ? turns_[turn][move] : move; }

  // Whether the side to which so much is offered nets at least `target`.
  bool is_at_least(const Offer& offer, const Position& position, int target) {
    target -= offer.taken;
    if (offer.held == 0) return value_at_least(position, target);
    // The better of taking the held coins and of leaving them: never less than nothing.
    return target <= 0 || value_at_least(position, target - offer.held) ||
           !value_at_least(position, 1 - target - offer.held);
  }

  // The same by what is known: 1 yes, -1 no, 0 open.
  static int settled(const Offer& offer, const Bounds& bounds, int target) {
    target -= offer.taken;
    if (offer.held == 0) return target <= bounds.low ? 1 : target > bounds.high ? -1 : 0;
    if (target <= 0 || target - offer.held <= bounds.low || 1 - target - offer.held > bounds.high) return 1;
    return target - offer.held > bounds.high && 1 - target - offer.held <= bounds.low ? -1 : 0;
  }

  Bounds known(const Position& position, const Key<W>& key) const {
    Bounds bounds{-position.coins, position.coins};
    memory_.find(key, bounds);
    return bounds;
  }

  bool value_at_least(const Position& position, int target) {
    std::size_t turn = 0;
    const Key<W> key = key_of(position, turn);
    target += (target ^ position.coins) & 1;
    if (position.coins == 0) return target <= 0;
    Bounds bounds = known(position, key);
    if (const int is = settled({}, bounds, target); is != 0) return is > 0;
    if (watch_.visit()) throw Stopped{};
    const int move = answer(position, target, bounds.move, turn);
    bounds = known(position, key);
    if (move >= 0) {
      bounds.low = std::max(bounds.low, target);
      bounds.move = turned(move, turn);
    } else {
      bounds.high = std::min(bounds.high, target - 2);
    }
    memory_.keep(key, bounds);
    return move >= 0;
  }

  // A move that nets at least `target`; -1 where there is none.
  int answer(const Position& position, int target, int first, std::size_t turn) {
    auto& children = lists_[depth_];
    children.clear();
    if (graph_.misere)
      every_line(position, children);
    else
      principal(position, children);
    for (auto& child : children) {
      child.key = key_of(child.position, child.turn);
      memory_.prefetch(child.key);
    }
    for (auto& child : children) {
      const Bounds bounds = known(child.position, child.key);
      const int is = child.again ? settled({}, bounds, target - sign() * child.offer.taken)
                                 : -settled(child.offer, bounds, 1 - target);
      if (is > 0) return child.move;
      child.open = is == 0;
      if (child.open && first != Bounds::kNoMove && turned(child.move, turn) == first)
        std::swap(child, children.front());
    }
    ++depth_;
    int found = -1;
    for (std::size_t i = 0; i < children.size() && found < 0; ++i) {
      const Child& child = children[i];
      if (!child.open) continue;
      const bool proves = child.again ? value_at_least(child.position, target - sign() * child.offer.taken)
                                      : !is_at_least(child.offer, child.position, 1 - target);
      if (proves) found = child.move;
    }
    --depth_;
    return found;
  }

  int sign() const { return graph_.misere ? -1 : 1; }

  void every_line(const Position& position, std::vector<Child>& children) const {
    position.lines().each([&](int line) {
      if ((later_[line] & position.lines()).any()) return;
      Child& child = children.emplace_back(Child{position, {}, line});
      draw(child.position, line);
      child.offer.taken = closed_by(graph_, child.position.lines(), line);
      child.again = child.offer.taken > 0;
      child.position.coins -= child.offer.taken;
    });
  }

  // The moves among which there is a best one: safe lines, then strings, those with few coins first.
  void principal(const Position& position, std::vector<Child>& children) const {
    const Bits<W>& lines = position.lines();
    Bits<W> safe = lines;
    Bits<2> beads;
    for (int coin = 0; coin < graph_.coins; ++coin) {
      const int lacks = lacking(graph_, lines, coin);
      if (lacks < 3) safe = safe.without(graph_.mask<W>(coin));
      if (lacks == 2) beads.set(coin);
    }
    safe.each([&](int line) {
      if ((later_[line] & lines).any()) return;
      Child& child = children.emplace_back(Child{position, {}, line});
      draw(child.position, line);
      count_string(child.position, graph_.sides[line].one);
      count_string(child.position, graph_.sides[line].other);
    });
    const auto strings = static_cast<std::ptrdiff_t>(children.size());
    Bits<2> seen;
    beads.each([&](int coin) {
      if (seen.test(coin)) return;
      Bits<W> walked;
      const String string = string_through(graph_, lines, coin, walked, seen);
      open(position, string, walked, children);
    });
    open_counted(position, children);
    std::stable_sort(children.begin() + strings, children.end(), [](const Child& a, const Child& b) {
      return a.offer.taken + a.offer.held < b.offer.taken + b.offer.held;
    });
  }

  void open(const Position& position, const String& string, Bits<W> walked, std::vector<Child>& children) const {
    Child& child = children.emplace_back(Child{position, {}, string.opening});
    Bits<W> rest = position.lines();
    rest.clear(string.opening);
    child.offer = take_string(graph_, rest, string, walked);
    const Bits<W> drawn = position.lines().without(rest);
    drawn.each([&](int line) { draw(child.position, line); });
    // Only where a string ended can another have come to stand alone.
    drawn.each([&](int line) {
      const auto& of = graph_.sides[line];
      count_string(child.position, of.one);
      count_string(child.position, of.other);
    });
    child.position.coins -= child.offer.taken + child.offer.held;
  }

  // Of chains of three coins and more, and of loops, only the shortest need be opened.
  void open_counted(const Position& position, std::vector<Child>& children) const {
    bool chain = false;
    bool loop = false;
    for (std::size_t i = 0; i < Strings::kinds().size(); ++i) {
      const auto& kind = Strings::kinds()[i];
      if ((position.strings & kind.mask()) == 0) continue;
      bool& opened = kind.loop ? loop : chain;
      if (opened) continue;
      opened = kind.loop || kind.coins > 2;
      Child& child = children.emplace_back(Child{position, {}, kCounted + static_cast<int>(i)});
      child.position.strings -= kind.one();
      child.position.coins -= kind.coins;
      child.offer.held = kind.loop ? 4 : kind.coins > 2 ? 2 : 0;
      child.offer.taken = kind.coins - child.offer.held;
    }
  }

  Graph graph_;
  bool whole_;
  Memory<W> memory_;
  Watch& watch_;
  std::vector<Turn> turns_;
  std::vector<Bits<W>> later_;              // of each line those after it with the same coins
  std::vector<std::vector<Child>> lists_;   // of each depth
  std::size_t depth_ = 0;
};

// The value of a position and every best line, or one. It ends early, with what is known, when the watch says so.
template <int W>
Solved solve(const Left& left, Manner manner, bool every, std::uint64_t memory, Watch& watch, const Halved& halved) {
  Solver<W> solver(left, manner, memory, watch);
  const auto lines = left.all<W>();
  Solved solved{-left.graph.coins, left.graph.coins, {}};
  try {
    while (solved.low < solved.high) {
      const int middle = solved.low + (solved.high - solved.low + 2) / 4 * 2;
      if (solver.at_least(lines, middle))
        solved.low = middle;
      else
        solved.high = middle - 2;
      if (halved) halved(solved.low, solved.high);
    }
    if (!every) {
      solved.best.push_back(left.lines[solver.line_for(lines, solved.low)]);
      return solved;
    }
    for (int line = 0; line < left.graph.lines; ++line) {
      Bits<W> after = lines;
      after.clear(line);
      const int gained = closed_by(left.graph, after, line);
      const int worth = left.graph.misere ? -gained : gained;
      if (gained > 0 ? solver.at_least(after, solved.low - worth) : !solver.at_least(after, 1 - solved.low))
        solved.best.push_back(left.lines[line]);
    }
    std::sort(solved.best.begin(), solved.best.end());
  } catch (const Stopped&) {
    solved.best.clear();
  }
  return solved;
}

inline Solved solve(const Graph& graph, const Bits<2>& undrawn, Manner manner, bool every, std::uint64_t memory,
                    Watch& watch, const Halved& halved = {}) {
  if (!undrawn.any()) return {};
  const Left left(graph, undrawn, manner.outward);
  return left.graph.lines <= 64 ? solve<1>(left, manner, every, memory, watch, halved)
                                : solve<2>(left, manner, every, memory, watch, halved);
}

}  // namespace kletka::dots
