// UCT (Kocsis, Szepesvári 2006) with proven wins, losses and draws carried up. It knows no game, and is deterministic
// by (position, nodes, seed): of floating-point functions it uses the square root only, which IEEE 754 fixes.
//
// Two to four seats play, each in any order and several times in a row. A Board is a position, copied for each
// iteration, and offers
//   static constexpr int kSeats
//   bool over() const
//   int seat() const                                   0 to kSeats - 1, to move; asked only while not over
//   Gains<kSeats> gains() const                        once over: each seat's share of the win
//   void moves(std::vector<int>&) const                adds the legal moves, 0 to 32767, in canonical order
//   void play(int)
//   Gains<kSeats> play_out(SplitMix64&, int& plies)    from here to the end at random (or by any rule of its own),
//                                                      counting the moves; a sample, which proves nothing
// and where trees are kept from move to move also
//   bool operator==(const Board&) const                all that matters is equal
//   bool before(const Board& later) const              whether `later` may follow by more moves: false prunes the
//                                                      search for it, true costs only time
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "search.hpp"

namespace kletka {

// A whole win in the units of gains: halves, thirds and quarters of it are whole numbers too.
inline constexpr int kWhole = 1200;

// For each seat 0 to kWhole.
template <int Seats>
using Gains = std::array<std::uint16_t, Seats>;

// Of a game for two by its result: 0 or 1, that seat has won; 2, a draw.
inline Gains<2> gains_of(int result) {
  constexpr Gains<2> all[] = {{kWhole, 0}, {0, kWhole}, {kWhole / 2, kWhole / 2}};
  return all[result];
}

// The logarithm to base 2, straight between powers of two.
inline double rough_log2(std::uint32_t n) {
  const int whole = std::bit_width(n) - 1;
  return whole + (static_cast<double>(n) / static_cast<double>(std::uint32_t{1} << whole) - 1.0);
}

// What a search has learnt below a position. It may be kept and given to the search of a later one.
template <class Board>
class Tree {
 public:
  enum Proof : std::int8_t { unknown, won, lost, drawn };  // for the seat that moved into the node; of two seats only

  struct Node {
    std::uint64_t gain = 0;   // of the seat that moved into the node
    std::uint32_t visits = 0;
    std::uint32_t first = 0;  // of its children
    std::uint16_t children = 0;
    std::uint16_t tried = 0;  // the children before this one have been visited
    std::int16_t move = -1;
    Proof proof = unknown;
  };

  // What selection reads, side by side: the mean share of the win (far below every other for a proven loss), and
  // 1 / sqrt(visits).
  struct Value {
    float mean = 0;
    float spread = 0;
  };

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kMostNodes = 1 << 22;

  // Put the root at a position. Where it follows from the last one by moves of the tree, what lies below it is kept.
  void begin(const Board& at) {
    std::uint32_t found = kNone;
    if constexpr (requires { at.before(at); }) {
      int steps = kMostSteps;
      if (!boards_.empty()) found = find(0, boards_[0], at, steps);
    }
    boards_.assign(1, at);
    if (found == kNone) {
      nodes.assign(1, Node{});
      values.assign(1, Value{});
    } else if (found != 0) {
      keep(found);
    }
  }

  const Board& root() const { return boards_[0]; }
  std::uint32_t visits() const { return nodes.empty() ? 0 : nodes[0].visits; }

  std::vector<Node> nodes;
  std::vector<Value> values;

 private:
  static constexpr int kMostSteps = 1 << 16;

  std::uint32_t find(std::uint32_t number, const Board& board, const Board& later, int& steps) const {
    if (board == later) return number;
    if (board.over() || --steps <= 0 || !board.before(later)) return kNone;
    for (std::uint32_t i = nodes[number].first; i < nodes[number].first + nodes[number].tried; ++i) {
      Board next = board;
      next.play(nodes[i].move);
      if (const auto found = find(i, next, later, steps); found != kNone) return found;
    }
    return kNone;
  }

  // Leave only what lies below a node, and let it be the root.
  void keep(std::uint32_t root) {
    std::vector<Node> kept{nodes[root]};
    std::vector<Value> kept_values{values[root]};
    kept[0].move = -1;
    for (std::size_t number = 0; number < kept.size(); ++number) {
      const auto first = kept[number].first;
      const auto end = first + kept[number].children;
      kept[number].first = static_cast<std::uint32_t>(kept.size());
      for (auto i = first; i < end; ++i) {
        kept.push_back(nodes[i]);
        kept_values.push_back(values[i]);
      }
    }
    nodes.swap(kept);
    values.swap(kept_values);
  }

  std::vector<Board> boards_;  // the root's, once there is one: a Board need not be made of nothing
};

template <class Board>
class Uct {
 public:
  // The tree's root must not be over.
  Uct(Tree<Board>& tree, double exploration, std::uint64_t seed, Watch& watch)
      : root_(tree.root()), nodes_(tree.nodes), values_(tree.values), exploration_(exploration), random_(seed),
        watch_(watch) {}

  Report run(const Progress& progress) {
    if (nodes_[0].children == 0) expand(0, root_);
    std::uint64_t told_at = 1 << 16;
    while (!watch_.stopped() && nodes_[0].proof == unknown) {
      iterate();
      if (progress && watch_.nodes() >= told_at) {
        progress(report());
        told_at *= 2;
      }
    }
    return report();
  }

 private:
  static constexpr int kSeats = Board::kSeats;
  using Node = typename Tree<Board>::Node;
  using Proof = typename Tree<Board>::Proof;
  static constexpr Proof unknown = Tree<Board>::unknown, won = Tree<Board>::won, lost = Tree<Board>::lost,
                         drawn = Tree<Board>::drawn;

  struct Step {
    std::uint32_t node;
    int mover;  // the seat that moved into it; kSeats, nobody, at the root
  };

  void expand(std::uint32_t number, const Board& board) {
    moves_.clear();
    board.moves(moves_);
    const std::size_t first = nodes_.size();
    if (first + moves_.size() > Tree<Board>::kMostNodes) return;
    nodes_[number].first = static_cast<std::uint32_t>(first);
    nodes_[number].children = static_cast<std::uint16_t>(moves_.size());
    nodes_.resize(first + moves_.size());
    values_.resize(first + moves_.size());
    for (std::size_t i = 0; i < moves_.size(); ++i) nodes_[first + i].move = static_cast<std::int16_t>(moves_[i]);
  }

  void iterate() {
    Board board = root_;
    path_.clear();
    path_.push_back({0, kSeats});
    std::uint32_t at = 0;
    bool over = false;
    while (nodes_[at].children > 0) {
      const bool fresh = nodes_[at].tried < nodes_[at].children;
      const int mover = board.seat();
      at = fresh ? untried(nodes_[at]) : select(nodes_[at]);
      board.play(nodes_[at].move);
      path_.push_back({at, mover});
      over = board.over();
      if (fresh || over || nodes_[at].proof != unknown) break;
      if (nodes_[at].children == 0) expand(at, board);
    }
    int plies = static_cast<int>(path_.size()) - 1;
    Gains<kSeats> gains;
    if (over) {
      gains = board.gains();
      if constexpr (kSeats == 2) conclude(path_.back(), gains);
    } else if (kSeats == 2 && nodes_[at].proof == drawn) {
      gains.fill(kWhole / 2);
    } else {
      gains = board.play_out(random_, plies);
    }
    credit(gains);
    watch_.visit(static_cast<std::uint64_t>(plies));
  }

  // A child not yet visited, at random among these.
  std::uint32_t untried(Node& node) {
    const auto left = static_cast<std::uint32_t>(node.children - node.tried);
    const auto next = node.first + node.tried++;
    if (left > 1) std::swap(nodes_[next].move, nodes_[next + random_.below(left)].move);
    return next;
  }

  void credit(const Gains<kSeats>& gains) {
    for (std::size_t depth = path_.size(); depth-- > 0;) {
      const auto [number, mover] = path_[depth];
      Node& node = nodes_[number];
      ++node.visits;
      if (depth > 0) {
        node.gain += gains[static_cast<std::size_t>(mover)];
        if (node.proof != lost)
          values_[number].mean = static_cast<float>(static_cast<double>(node.gain) / (1.0 * kWhole * node.visits));
        values_[number].spread = static_cast<float>(1.0 / std::sqrt(static_cast<double>(node.visits)));
      }
      if (kSeats == 2 && depth + 1 < path_.size() && node.proof == unknown) {
        const auto [child, seat] = path_[depth + 1];
        if (nodes_[child].proof != unknown) prove(number, mover, seat, nodes_[child].proof);
      }
    }
  }

  void conclude(Step last, const Gains<kSeats>& gains) {
    const int gain = gains[static_cast<std::size_t>(last.mover)];
    mark(last.node, gain == kWhole ? won : gain == 0 ? lost : drawn);
  }

  // What the children, into which `seat` moves, prove of a node once one of them is proven; `mover` moved into it.
  void prove(std::uint32_t number, int mover, int seat, Proof child) {
    Proof best = child;
    if (child != won) {
      const Node& node = nodes_[number];
      if (node.tried < node.children) return;
      for (auto i = node.first; i < node.first + node.children; ++i) {
        if (nodes_[i].proof == unknown) return;
        if (nodes_[i].proof == drawn) best = drawn;
      }
    }
    mark(number, best == drawn ? drawn : (best == won) == (seat == mover) ? won : lost);
  }

  void mark(std::uint32_t number, Proof proof) {
    nodes_[number].proof = proof;
    if (proof == lost) values_[number].mean = -std::numeric_limits<float>::max();
  }

  // The child of the highest upper bound, the first of equals.
  std::uint32_t select(const Node& node) {
    const float wide = static_cast<float>(exploration_ * std::sqrt(rough_log2(node.visits + 1)));
    const auto* value = &values_[node.first];
    const std::uint32_t children = node.children;
    if (bounds_.size() < children) bounds_.resize(children);
    // Floats that aren't negative are ordered as their bits are, and those of lost children lie below: whole numbers
    // let the compiler compare several at a time.
    std::int32_t* bound = bounds_.data();
    std::int32_t highest = std::numeric_limits<std::int32_t>::min();
    for (std::uint32_t i = 0; i < children; ++i) {
      bound[i] = std::bit_cast<std::int32_t>(value[i].mean + wide * value[i].spread);
      highest = std::max(highest, bound[i]);
    }
    std::uint32_t best = 0;
    while (bound[best] != highest) ++best;
    return node.first + best;
  }

  // The child to play: a proven win, else the most visited that isn't a proven loss, the best of equals.
  std::uint32_t preferred(const Node& node) const {
    std::uint32_t best = node.first;
    const auto rank = [&](const Node& child) {
      return std::tuple{child.proof == won ? 2 : child.proof == lost ? 0 : 1, child.visits, child.gain};
    };
    for (std::uint32_t i = node.first; i < node.first + node.children; ++i)
      if (rank(nodes_[i]) > rank(nodes_[best])) best = i;
    return best;
  }

  Report report() const {
    Report report;
    const Node* node = &nodes_[0];
    while (node->children > 0) {
      const Node& next = nodes_[preferred(*node)];
      if (node != &nodes_[0] && next.visits == 0) break;
      report.line.push_back(next.move);
      node = &next;
    }
    const Node& best = nodes_[preferred(nodes_[0])];
    report.move = best.move;
    report.exact = nodes_[0].proof != unknown;
    const bool even = best.proof == drawn || best.visits == 0;
    report.score = best.proof == won    ? 1000
                   : best.proof == lost ? 0
                   : even               ? 500
                                        : static_cast<int>(best.gain * 1000 / kWhole / best.visits);
    report.nodes = watch_.nodes();
    return report;
  }

  Board root_;
  std::vector<Node>& nodes_;
  std::vector<typename Tree<Board>::Value>& values_;
  double exploration_;
  SplitMix64 random_;
  Watch& watch_;
  std::vector<Step> path_;
  std::vector<int> moves_;
  std::vector<std::int32_t> bounds_;
};

// A search with a tree of its own.
template <class Board>
Report uct(const Board& root, double exploration, std::uint64_t seed, Watch& watch, const Progress& progress) {
  Tree<Board> tree;
  tree.begin(root);
  return Uct<Board>(tree, exploration, seed, watch).run(progress);
}

}  // namespace kletka
