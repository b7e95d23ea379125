// Exact values of dots games for two: how many coins more than the other side the mover gets from here on when both
// want as many as they can (in misère: as few). Scores so far don't matter for that, so they take no part.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "dots.hpp"
#include "dots_strings.hpp"
#include "search.hpp"

namespace kletka::dots {

struct Solved {
  int net = 0;      // for the mover; in misère the coins that the other side gets more
  int move = -1;    // a best move; -1 where no line is left
  bool known = false;  // false where the watch ended the search
};

// The value of every subset of the lines left, by the rules alone: the plain writing of what `Solver` finds with less
// work, and the only one for misère, where captures have no normal form.
class Table {
 public:
  static constexpr int kMostLines = 24;

  template <int W>
  static Solved solve(const Graph& graph, const Bits<W>& undrawn) {
    std::vector<int> lines;
    undrawn.each([&](int line) { lines.push_back(line); });
    if (lines.size() > kMostLines) throw std::invalid_argument("too many lines for a table");
    if (lines.empty()) return {0, -1, true};
    const int sign = graph.misere ? -1 : 1;
    // The coins beside each line as sets of the lines left; a coin that isn't there is never complete.
    struct Beside {
      std::uint32_t one, other;
    };
    std::vector<Beside> beside;
    for (const int line : lines) {
      const auto around = [&](int coin) {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) mask |= std::uint32_t{graph.lines_of[coin].test(lines[i])} << i;
        return mask;
      };
      const auto& of = graph.sides[line];
      beside.push_back({around(of.one), of.both ? around(of.other) : ~std::uint32_t{0}});
    }
    const auto all = (std::uint32_t{1} << lines.size()) - 1;
    std::vector<std::int8_t> net(std::size_t{all} + 1);
    int best_move = -1;
    for (std::uint32_t left = 1; left <= all; ++left) {
      int best = -kMostCoins - 1;
      for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        const std::uint32_t after = left & ~(std::uint32_t{1} << i);
        const int gained = ((after & beside[i].one) == 0) + ((after & beside[i].other) == 0 && ~beside[i].other != 0);
        const int value = gained > 0 ? sign * gained + net[after] : -net[after];
        if (value <= best) continue;
        best = value;
        if (left == all) best_move = lines[i];
      }
      net[left] = static_cast<std::int8_t>(best);
    }
    return {net[all], best_move, true};
  }
};

// Alpha-beta for normal play, with captures in normal form and a table of whole keys.
template <int W>
class Solver {
 public:
  // The table has 2^bits places.
  Solver(const Graph& graph, int bits, Watch& watch)
      : graph_(graph), watch_(watch), table_(std::size_t{1} << bits) {
    if (graph.misere) throw std::invalid_argument("misère");
    for (int line = 0; line < graph.lines; ++line)
      if (graph.alike[line] != line) twins_.push_back({graph.alike[line], line});
  }

  Solved solve(const Bits<W>& undrawn) {
    int coins = 0;
    for (int coin = 0; coin < graph_.coins; ++coin) coins += lacking(graph_, undrawn, coin) > 0;
    if (coins == 0) return {0, undrawn.any() ? undrawn.first() : -1, true};
    Bits<W> rest = undrawn;
    const Offer offer = take_offer(graph_, rest, takeable(graph_, undrawn));
    Solved solved;
    if (offer.take >= 0) {
      const int after = value(rest, coins - offer.taken - offer.held, -coins, coins);
      solved.net = offer.taken + (offer.held > 0 ? std::abs(offer.held + after) : after);
      solved.move = offer.taken > 0 || offer.held + after >= 0 ? offer.take : offer.leave;
    } else {
      solved.net = -coins - 1;
      each_principal(graph_, undrawn, [&](int line) {
        const int net = -after(undrawn, coins, line, -coins - 1, -solved.net);
        if (net <= solved.net) return;
        solved.net = net;
        solved.move = line;
      });
    }
    solved.known = !watch_.stopped();
    return solved;
  }

 private:
  struct Entry {
    Bits<W> key;  // nothing is left in no entry, so an empty key is an empty place
    std::int8_t low = 0;
    std::int8_t high = 0;
    std::uint8_t move = 0;
  };

  // What the other side has from a position after a line was drawn in one where nothing was takeable.
  int after(Bits<W> undrawn, int coins, int line, int alpha, int beta) {
    undrawn.clear(line);
    Bits<2> touched;
    touched.set(graph_.sides[line].one);
    touched.set(graph_.sides[line].other);
    const Offer offer = take_offer(graph_, undrawn, touched);
    coins -= offer.taken + offer.held;
    alpha -= offer.taken;
    beta -= offer.taken;
    if (offer.held == 0) return offer.taken + value(undrawn, coins, alpha, beta);
    // The better of taking the held coins and of leaving them: never less than nothing.
    if (beta <= 0) return offer.taken;
    return offer.taken + std::abs(offer.held + value(undrawn, coins, -beta - offer.held, beta - offer.held));
  }

  // The mover's net where nothing is takeable: exact within alpha..beta, else a bound.
  int value(Bits<W> undrawn, int coins, int alpha, int beta) {
    if (coins == 0) return 0;
    if (coins <= alpha) return coins;
    if (-coins >= beta) return -coins;
    for (const auto& [first, later] : twins_)
      if (undrawn.test(later) && !undrawn.test(first)) {
        undrawn.clear(later);
        undrawn.set(first);
      }
    Entry& entry = table_[place(undrawn)];
    const bool met = entry.key == undrawn;
    int low = -coins;
    int high = coins;
    if (met) {
      low = entry.low;
      high = entry.high;
      if (low == high || low >= beta) return low;
      if (high <= alpha) return high;
    }
    if (watch_.visit()) return 0;
    const int floor = std::max(alpha, low);
    const int first = met ? entry.move : -1;
    int best = -coins - 1;
    int best_move = 0;
    const auto attempt = [&](int line) {
      if (best >= std::min(beta, high) || watch_.stopped()) return;
      const int net = -after(undrawn, coins, line, -std::min(beta, high), -std::max(floor, best));
      if (net <= best) return;
      best = net;
      best_move = line;
    };
    if (first >= 0) attempt(first);
    each_principal(graph_, undrawn, [&](int line) {
      if (line != first) attempt(line);
    });
    if (watch_.stopped()) return 0;
    if (best >= beta) {
      low = std::max(low, best);
    } else if (best > alpha) {
      low = high = best;
    } else {
      high = std::min(high, best);
    }
    table_[place(undrawn)] = {undrawn, static_cast<std::int8_t>(low), static_cast<std::int8_t>(high),
                              static_cast<std::uint8_t>(best_move)};
    return best;
  }

  std::size_t place(const Bits<W>& key) const {
    std::uint64_t hash = 0;
    for (const auto word : key.word) hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return (hash ^ hash >> 32) & (table_.size() - 1);
  }

  const Graph& graph_;
  Watch& watch_;
  std::vector<Entry> table_;
  std::vector<std::pair<int, int>> twins_;
};

}  // namespace kletka::dots
