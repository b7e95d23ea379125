// Dots games as UCT sees them: a plain board whose play-outs are random, and a careful one that plays as people do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "bits.hpp"
#include "dots.hpp"
#include "dots_strings.hpp"
#include "uct.hpp"

namespace kletka::dots {

// A board with its graph, as UCT copies it. All moves, random play-outs.
template <int W, int Seats>
class RolloutBoard {
 public:
  static constexpr int kSeats = Seats;

  RolloutBoard(const Graph& graph, const Board<W>& board) : graph_(&graph), board_(board), pdep_(has_pdep()) {}

  bool operator==(const RolloutBoard&) const = default;

  // Lines are never taken back.
  bool before(const RolloutBoard& later) const { return !later.board_.undrawn.without(board_.undrawn).any(); }

  bool over() const { return board_.over(); }
  int seat() const { return board_.turn; }
  void play(int line) { board_.play(*graph_, line); }

  Gains<Seats> gains() const {
    Gains<Seats> gains{};
    const unsigned winners = board_.winners(*graph_);
    for (int seat = 0; seat < Seats; ++seat)
      if (winners >> seat & 1) gains[seat] = static_cast<std::uint16_t>(kWhole / std::popcount(winners));
    return gains;
  }

  void moves(std::vector<int>& out) const {
    board_.undrawn.each([&](int line) { out.push_back(line); });
  }

  Gains<Seats> play_out(SplitMix64& random, int& plies) {
    plies += board_.free;
    if (pdep_)
      dots::play_out<W, true>(*graph_, board_, random, [](int) {});
    else
      dots::play_out<W, false>(*graph_, board_, random, [](int) {});
    return gains();
  }

 protected:
  const Graph* graph_;
  Board<W> board_;
  bool pdep_;
};

// What the mover gets more than the other of two sides where every line opens a string and nothing is takeable: strings
// are opened the shortest first, chains and loops that stand alone in the best order of the two kinds, and whoever takes
// a string leaves its last coins where that pays. An estimate where strings meet, since the order is a guess there.
template <int W>
int net_of_strings(const Graph& graph, Bits<W> undrawn) {
  std::array<Offer, kMostCoins> opened;
  int number = 0;
  const auto taker = [](int coins, int held, int after) {
    return coins - held + (held > 0 ? std::abs(held + after) : after);
  };
  std::array<std::uint8_t, kMostCoins> chains, loops;
  std::size_t chain_count, loop_count;
  while (true) {
    chain_count = loop_count = 0;
    String least;
    bool meeting = false;
    Bits<2> seen;
    for (int coin = 0; coin < graph.coins; ++coin) {
      if (seen.test(coin) || lacking(graph, undrawn, coin) != 2) continue;
      Bits<W> lines;
      const String string = string_through(graph, undrawn, coin, lines, seen);
      if (string.loop)
        loops[loop_count++] = static_cast<std::uint8_t>(string.coins);
      else if (string.grounded)
        chains[chain_count++] = static_cast<std::uint8_t>(string.coins);
      else
        meeting = true;
      if (least.coins == 0 || string.coins < least.coins) least = string;
    }
    if (!meeting) break;
    undrawn.clear(least.opening);
    Bits<2> touched;
    touched.set(graph.sides[least.opening].one);
    touched.set(graph.sides[least.opening].other);
    opened[number++] = take_offer(graph, undrawn, touched);
  }
  std::sort(chains.begin(), chains.begin() + chain_count, std::greater<>());
  std::sort(loops.begin(), loops.begin() + loop_count, std::greater<>());
  // net[j]: with the longest i chains and the longest j loops left.
  std::array<int, kMostCoins + 1> net;
  for (std::size_t i = 0; i <= chain_count; ++i)
    for (std::size_t j = 0; j <= loop_count; ++j) {
      int best = i + j == 0 ? 0 : -kMostCoins - 1;
      if (i > 0) best = std::max(best, -taker(chains[i - 1], chains[i - 1] > 2 ? 2 : 0, net[j]));
      if (j > 0) best = std::max(best, -taker(loops[j - 1], loops[j - 1] > 3 ? 4 : 0, net[j - 1]));
      net[j] = best;
    }
  int value = net[loop_count];
  while (number-- > 0) value = -taker(opened[number].taken + opened[number].held, opened[number].held, value);
  return value;
}

// Only moves among which there is a best one; play-outs that take what is offered, draw safe lines at random while there
// are any, and then reckon strings. In misère a line is safe that completes nothing, and whoever must complete a coin
// gets all the rest. With more seats a string goes to the next one whole.
template <int W, int Seats>
class CarefulBoard : public RolloutBoard<W, Seats> {
 public:
  using RolloutBoard<W, Seats>::RolloutBoard;

  void moves(std::vector<int>& out) const {
    const auto add = [&](int line) { out.push_back(line); };
    if (graph_->misere) {
      board_.undrawn.each([&](int line) {
        if (graph_->alike[line] == line || !board_.undrawn.test(graph_->alike[line])) add(line);
      });
      return;
    }
    auto rest = board_.undrawn;
    const Offer offer = take_offer(*graph_, rest, takeable(*graph_, rest));
    if (offer.take < 0) return each_principal(*graph_, board_.undrawn, add);
    add(offer.take);
    if (offer.taken == 0) add(offer.leave);
  }

  Gains<Seats> play_out(SplitMix64& random, int& plies) {
    if (graph_->misere)
      avoid(random, plies);
    else
      gather(random, plies);
    return this->gains();
  }

 private:
  using RolloutBoard<W, Seats>::graph_;
  using RolloutBoard<W, Seats>::board_;
  using RolloutBoard<W, Seats>::pdep_;

  int nth(const Bits<W>& set, SplitMix64& random) const {
    int size = 0;
    for (const auto word : set.word) size += std::popcount(word);
    const auto n = random.below(static_cast<std::uint32_t>(size));
    return pdep_ ? kletka::nth<W, true>(set, n) : kletka::nth<W, false>(set, n);
  }

  template <class Visit>
  void each_beside(int line, Visit visit) const {
    const Graph::Sides& of = graph_->sides[line];
    visit(of.one);
    if (of.both) visit(of.other);
  }

  void give(int seat, int coins) {
    board_.scores[seat] = static_cast<std::uint8_t>(board_.scores[seat] + coins);
  }

  int coins_left() const {
    int coins = 0;
    for (int coin = 0; coin < graph_->coins; ++coin) coins += !board_.complete(*graph_, coin);
    return coins;
  }

  void avoid(SplitMix64& random, int& plies) {
    Bits<W> quiet = board_.undrawn;
    for (int coin = 0; coin < graph_->coins; ++coin)
      if (lacking(*graph_, board_.undrawn, coin) == 1) quiet.clear(lacking_line(*graph_, board_.undrawn, coin));
    while (quiet.any()) {
      const int line = nth(quiet, random);
      quiet.clear(line);
      board_.play(*graph_, line);
      ++plies;
      each_beside(line, [&](int coin) {
        if (lacking(*graph_, board_.undrawn, coin) == 1) quiet.clear(lacking_line(*graph_, board_.undrawn, coin));
      });
    }
    give(board_.turn, coins_left());
    ++plies;
  }

  void gather(SplitMix64& random, int& plies) {
    Bits<W> safe = board_.undrawn;
    Bits<W> takes;
    const auto look = [&](int coin) {
      const int lacks = lacking(*graph_, board_.undrawn, coin);
      if (lacks < 3) safe = safe.without(graph_->template mask<W>(coin));
      if (lacks == 1) takes.set(lacking_line(*graph_, board_.undrawn, coin));
    };
    for (int coin = 0; coin < graph_->coins; ++coin) look(coin);
    while (safe.any()) {
      const int line = takes.any() ? takes.first() : nth(safe, random);
      takes.clear(line);
      safe.clear(line);
      board_.play(*graph_, line);
      ++plies;
      each_beside(line, look);
    }
    ++plies;
    const int coins = coins_left();
    if (coins == 0) return;
    if (Seats > 2) return hand_round(coins);
    Bits<W> rest = board_.undrawn;
    const Offer offer = take_offer(*graph_, rest, takeable(*graph_, rest));
    const int after = net_of_strings(*graph_, rest);
    const int net = offer.taken + (offer.held > 0 ? std::abs(offer.held + after) : after);
    give(board_.turn, (coins + net) / 2);
    give(board_.next[board_.turn], (coins - net) / 2);
  }

  // Every string to the seat after the one that opens it, the shortest first.
  void hand_round(int coins) {
    Bits<W>& undrawn = board_.undrawn;
    const auto take_all = [&](Bits<2> from) {
      const Offer offer = take_offer(*graph_, undrawn, from);
      give(board_.turn, offer.taken + offer.held);
      coins -= offer.taken + offer.held;
    };
    take_all(takeable(*graph_, undrawn));
    while (coins > 0) {
      String least;
      Bits<2> seen;
      for (int coin = 0; coin < graph_->coins; ++coin) {
        if (seen.test(coin) || lacking(*graph_, undrawn, coin) != 2) continue;
        Bits<W> lines;
        const String string = string_through(*graph_, undrawn, coin, lines, seen);
        if (least.coins == 0 || string.coins < least.coins) least = string;
      }
      undrawn.clear(least.opening);
      board_.turn = board_.next[board_.turn];
      Bits<2> touched;
      each_beside(least.opening, [&](int coin) { touched.set(coin); });
      take_all(touched);
    }
  }
};

}  // namespace kletka::dots
