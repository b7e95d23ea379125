// UCT (Kocsis, Szepesvári 2006) with proven wins and losses carried up. It knows no game, and is deterministic by
// (position, nodes, seed): of floating-point functions it uses the square root only, which IEEE 754 fixes.
//
// A Board is copied for each play-out and offers
//   int side() const                                 0 or 1, to move
//   bool over() const, int result() const            0 or 1: that side has won; 2: a draw
//   void moves(std::vector<int>&) const
//   void play(int)
//   int play_out(SplitMix64&, Visit)                 to the end at random; the result; Visit() for each move
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "search.hpp"

namespace kletka {

// The logarithm to base 2, straight between powers of two.
inline double rough_log2(std::uint32_t n) {
  const int whole = std::bit_width(n) - 1;
  return whole + (static_cast<double>(n) / static_cast<double>(std::uint32_t{1} << whole) - 1.0);
}

template <class Board>
class Uct {
 public:
  Uct(const Board& root, double exploration, std::uint64_t seed, Watch& watch)
      : root_(root), exploration_(exploration), random_(seed), watch_(watch) {}

  Report run(const Progress& progress) {
    nodes_.assign(1, Node{});
    expand(0, root_);
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
  enum Proof : std::int8_t { unknown, won, lost };  // for the side that moved into the node

  struct Node {
    std::uint32_t first = 0;  // of its children
    std::uint16_t children = 0;
    std::int16_t move = -1;
    std::uint32_t visits = 0;
    std::uint64_t halves = 0;  // half wins of the side that moved into the node
    Proof proof = unknown;
  };

  static constexpr std::size_t kMostNodes = 1 << 22;

  void expand(std::uint32_t number, const Board& board) {
    moves_.clear();
    board.moves(moves_);
    if (nodes_.size() + moves_.size() > kMostNodes) return;
    for (std::size_t i = moves_.size(); i > 1; --i)
      std::swap(moves_[i - 1], moves_[random_.below(static_cast<std::uint32_t>(i))]);
    nodes_[number].first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[number].children = static_cast<std::uint16_t>(moves_.size());
    for (int move : moves_) {
      Node child;
      child.move = static_cast<std::int16_t>(move);
      nodes_.push_back(child);
    }
  }

  void iterate() {
    Board board = root_;
    path_.assign(1, 0);
    while (nodes_[path_.back()].children > 0 && !board.over()) {
      const auto next = select(path_.back());
      board.play(nodes_[next].move);
      watch_.visit();
      path_.push_back(next);
      if (nodes_[next].visits == 0) break;
      if (nodes_[next].children == 0 && !board.over()) expand(next, board);
    }
    int result;
    if (board.over()) {
      result = board.result();
      if (result < 2) nodes_[path_.back()].proof = result == mover(path_.size() - 1) ? won : lost;
    } else {
      result = board.play_out(random_, [&] { watch_.visit(); });
    }
    for (std::size_t depth = path_.size(); depth-- > 0;) {
      Node& node = nodes_[path_[depth]];
      ++node.visits;
      node.halves += result == 2 ? 1 : result == mover(depth) ? 2 : 0;
      if (depth + 1 < path_.size() && node.proof == unknown) prove(node);
    }
  }

  // The side that moved into a node of the path.
  int mover(std::size_t depth) const { return (root_.side() ^ 1) ^ static_cast<int>(depth & 1); }

  void prove(Node& node) {
    bool all_lost = true;
    for (std::uint32_t i = 0; i < node.children; ++i) {
      const Proof proof = nodes_[node.first + i].proof;
      if (proof == won) {
        node.proof = lost;
        return;
      }
      all_lost = all_lost && proof == lost;
    }
    if (all_lost) node.proof = won;
  }

  std::uint32_t select(std::uint32_t number) const {
    const Node& node = nodes_[number];
    const double logarithm = rough_log2(node.visits + 1);
    std::uint32_t best = node.first;
    double best_value = -1.0;
    for (std::uint32_t i = node.first; i < node.first + node.children; ++i) {
      const Node& child = nodes_[i];
      if (child.proof == won) return i;
      if (child.proof == lost) continue;
      if (child.visits == 0) return i;
      const double visits = child.visits;
      const double value =
          static_cast<double>(child.halves) / (2.0 * visits) + exploration_ * std::sqrt(logarithm / visits);
      if (value > best_value) {
        best_value = value;
        best = i;
      }
    }
    return best;
  }

  // The child to play: a proven win, else the most visited that isn't a proven loss.
  std::uint32_t preferred(const Node& node) const {
    std::uint32_t best = node.first;
    const auto rank = [&](const Node& child) {
      return std::pair{child.proof == won ? 2 : child.proof == lost ? 0 : 1, child.visits};
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
    report.score = best.proof == won    ? 1000
                   : best.proof == lost ? 0
                   : best.visits == 0   ? 500
                                        : static_cast<int>(best.halves * 500 / best.visits);
    report.nodes = watch_.nodes();
    return report;
  }

  Board root_;
  double exploration_;
  SplitMix64 random_;
  Watch& watch_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
  std::vector<int> moves_;
};

}  // namespace kletka
