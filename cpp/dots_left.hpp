// What is left of a dots game: a graph of its own with the lines renumbered, and the ways in which it is like itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "dots.hpp"

namespace kletka::dots {

// The lines left, those far from the border first (or last), and the coins that lack some.
struct Left {
  std::vector<int> lines;  // of the whole board, by their numbers here
  Graph graph;

  Left(const Graph& whole, const Bits<2>& undrawn, bool outward = false)
      : lines(ordered(whole, undrawn, outward)),
        graph(static_cast<int>(lines.size()), coins_of(whole, lines), {}, whole.misere, 2) {}

  // All lines, by their numbers here.
  template <int W>
  Bits<W> all() const {
    Bits<W> set;
    for (int line = 0; line < graph.lines; ++line) set.set(line);
    return set;
  }

 private:
  static std::vector<int> ordered(const Graph& whole, const Bits<2>& undrawn, bool outward) {
    std::vector<int> lines;
    for (const int line : whole.inmost_first)
      if (undrawn.test(line)) lines.push_back(line);
    if (outward) std::reverse(lines.begin(), lines.end());
    return lines;
  }

  static std::vector<std::vector<int>> coins_of(const Graph& whole, const std::vector<int>& lines) {
    std::vector<std::vector<int>> coins(static_cast<std::size_t>(whole.coins));
    for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
      const auto& of = whole.sides[lines[i]];
      coins[of.one].push_back(i);
      if (of.both) coins[of.other].push_back(i);
    }
    std::erase_if(coins, [](const auto& coin) { return coin.empty(); });
    return coins;
  }
};

// Where each line goes when the graph is laid on itself.
using Turn = std::array<std::uint8_t, kMostLines>;

// Some ways to lay a graph on itself, the identity first: at most `most`, and no more than a short search finds. Of
// lines with the same coins the first goes to the first.
class Turns {
 public:
  static std::vector<Turn> of(const Graph& graph, std::size_t most) {
    Turns search(graph, most);
    search.place(0);
    return std::move(search.found_);
  }

 private:
  static constexpr int kMostSteps = 20'000;

  Turns(const Graph& graph, std::size_t most) : graph_(graph), most_(most), to_(coins(), -1), used_(coins(), false) {
    // Each coin after one that it touches, so that a wrong place is seen at once.
    std::vector<bool> met(coins(), false);
    for (int first = 0; first < graph.coins; ++first) {
      if (met[first]) continue;
      met[first] = true;
      coins_.push_back(first);
      for (std::size_t i = coins_.size() - 1; i < coins_.size(); ++i)
        graph.lines_of[coins_[i]].each([&](int line) {
          const int next = graph.across(line, coins_[i]);
          if (next < 0 || met[next]) return;
          met[next] = true;
          coins_.push_back(next);
        });
    }
  }

  std::size_t coins() const { return static_cast<std::size_t>(graph_.coins); }

  // How many lines two coins share; with itself, how many it has to the ground.
  int between(int one, int other) const {
    int count = 0;
    graph_.lines_of[one].each([&](int line) {
      const int across = graph_.across(line, one);
      count += across == other || (across < 0 && one == other);
    });
    return count;
  }

  void place(std::size_t number) {
    if (number == coins_.size()) return found_.push_back(turn());
    const int coin = coins_[number];
    for (int next = -1; next < graph_.coins; ++next) {
      // Where it is already comes first, which makes the identity the first to be found.
      const int to = next < 0 ? coin : next;
      if (found_.size() == most_ || ++steps_ > kMostSteps) return;
      if (next == coin || used_[to] || !fits(number, coin, to)) continue;
      used_[to] = true;
      to_[coin] = to;
      place(number + 1);
      used_[to] = false;
    }
  }

  bool fits(std::size_t number, int coin, int to) const {
    if (between(coin, coin) != between(to, to)) return false;
    for (std::size_t i = 0; i < number; ++i)
      if (between(coin, coins_[i]) != between(to, to_[coins_[i]])) return false;
    return true;
  }

  Turn turn() const {
    Turn turn{};
    std::vector<bool> taken(static_cast<std::size_t>(graph_.lines), false);
    for (int line = 0; line < graph_.lines; ++line) {
      const auto& of = graph_.sides[line];
      const int one = to_[of.one];
      const int other = of.both ? to_[of.other] : -1;
      for (int image = 0; image < graph_.lines; ++image) {
        if (taken[image] || !graph_.lines_of[one].test(image) || graph_.across(image, one) != other) continue;
        taken[image] = true;
        turn[line] = static_cast<std::uint8_t>(image);
        break;
      }
    }
    return turn;
  }

  const Graph& graph_;
  std::size_t most_;
  std::vector<int> coins_;
  std::vector<int> to_;
  std::vector<bool> used_;
  std::vector<Turn> found_;
  int steps_ = 0;
};

}  // namespace kletka::dots
