// The value of every subset of the lines left, by the rules alone: written apart from the searches, which are compared
// with it, and the only way for three and four.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bits.hpp"
#include "dots.hpp"
#include "dots_exact.hpp"
#include "search.hpp"

namespace kletka::dots {

// The lines left, numbered as they come, and what drawing each gains. A subset has a bit for each line.
class Subsets {
 public:
  Subsets(const Graph& graph, const Bits<2>& undrawn, int most) {
    undrawn.each([&](int line) { lines_.push_back(line); });
    if (static_cast<int>(lines_.size()) > most) throw std::invalid_argument("too many lines for a table");
    for (const int line : lines_) {
      const auto& of = graph.sides[line];
      beside_.push_back({around(graph, of.one), of.both ? around(graph, of.other) : kNever});
    }
  }

  int lines() const { return static_cast<int>(lines_.size()); }
  int line(int i) const { return lines_[i]; }
  std::uint64_t all() const { return (std::uint64_t{1} << lines()) - 1; }

  // The coins that drawing line i closed, `after` being what is left then.
  int gained(int i, std::uint64_t after) const {
    return ((after & beside_[i].one) == 0) + (((after | kNever) & beside_[i].other) == 0);
  }

 private:
  static constexpr std::uint64_t kNever = std::uint64_t{1} << 63;  // beyond the border: never closed

  struct Beside {
    std::uint64_t one, other;
  };

  std::uint64_t around(const Graph& graph, int coin) const {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) mask |= std::uint64_t{graph.lines_of[coin].test(lines_[i])} << i;
    return mask;
  }

  std::vector<int> lines_;
  std::vector<Beside> beside_;
};

// For two: the coins that the mover gets more from here on, in misère fewer.
class Table {
 public:
  static constexpr int kMostLines = 31;

  // Throws std::invalid_argument, and Stopped when the watch says so.
  Table(const Graph& graph, const Bits<2>& undrawn, Watch& watch)
      : subsets_(graph, undrawn, kMostLines), sign_(graph.misere ? -1 : 1), net_(subsets_.all() + 1) {
    for (std::uint64_t left = 1; left <= subsets_.all(); ++left) {
      if ((left & 0xFFF) == 0xFFF && watch.visit(0x1000)) throw Stopped{};
      int best = -kMostCoins - 1;
      for (auto rest = left; rest != 0; rest &= rest - 1) best = std::max(best, worth(left, std::countr_zero(rest)));
      net_[left] = static_cast<std::int8_t>(best);
    }
    watch.visit(net_.size() & 0xFFF);
  }

  const Subsets& subsets() const { return subsets_; }
  int net(std::uint64_t subset) const { return net_[subset]; }

  // The value of all lines left, and every best line.
  Solved solved() const {
    const auto all = subsets_.all();
    Solved solved{net(all), net(all), {}};
    for (int i = 0; i < subsets_.lines(); ++i)
      if (worth(all, i) == net(all)) solved.best.push_back(subsets_.line(i));
    return solved;
  }

 private:
  // What the mover nets by drawing line i.
  int worth(std::uint64_t left, int i) const {
    const auto after = left & ~(std::uint64_t{1} << i);
    const int gained = subsets_.gained(i, after);
    return gained > 0 ? sign_ * gained + net_[after] : -net_[after];
  }

  Subsets subsets_;
  int sign_;
  std::vector<std::int8_t> net_;
};

// Coins of each seat at the table, the mover's first, then in the order of turns.
using Coins = std::array<std::int8_t, kMostSeats>;

// For three and four, each after the most coins of their own (in misère the fewest), the first of equal lines in the
// order of lines: max^n (Luckhardt and Irani, 1986).
class CoinsTable {
 public:
  static constexpr int kMostLines = 26;

  // `seats`: those that are left. Throws as above.
  CoinsTable(const Graph& graph, const Bits<2>& undrawn, int seats, Watch& watch)
      : subsets_(graph, undrawn, kMostLines), misere_(graph.misere), seats_(static_cast<std::size_t>(seats)),
        coins_(subsets_.all() + 1) {
    for (std::uint64_t left = 1; left <= subsets_.all(); ++left) {
      if ((left & 0xFFF) == 0xFFF && watch.visit(0x1000)) throw Stopped{};
      Coins best = after(left, std::countr_zero(left));
      for (auto rest = left & (left - 1); rest != 0; rest &= rest - 1) {
        const Coins coins = after(left, std::countr_zero(rest));
        if (misere_ ? coins[0] < best[0] : coins[0] > best[0]) best = coins;
      }
      coins_[left] = best;
    }
    watch.visit(coins_.size() & 0xFFF);
  }

  Coins coins() const { return coins_[subsets_.all()]; }

  // Lines that bring the mover as many coins as there are to have.
  std::vector<int> best() const {
    std::vector<int> best;
    for (int i = 0; i < subsets_.lines(); ++i)
      if (after(subsets_.all(), i)[0] == coins()[0]) best.push_back(subsets_.line(i));
    return best;
  }

 private:
  Coins after(std::uint64_t left, int i) const {
    const auto rest = left & ~(std::uint64_t{1} << i);
    const int gained = subsets_.gained(i, rest);
    Coins coins = coins_[rest];
    if (gained > 0)
      coins[0] = static_cast<std::int8_t>(coins[0] + gained);
    else
      std::rotate(coins.begin(), coins.begin() + static_cast<std::ptrdiff_t>(seats_) - 1,
                  coins.begin() + static_cast<std::ptrdiff_t>(seats_));
    return coins;
  }

  Subsets subsets_;
  bool misere_;
  std::size_t seats_;
  std::vector<Coins> coins_;
};

}  // namespace kletka::dots
