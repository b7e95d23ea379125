// Chains and loops of a dots game (strings-and-coins; Berlekamp, "The Dots and Boxes Game", 2000), for normal play.
//
// A coin that lacks two lines is a bead: beads joined by undrawn lines make strings, which end at the ground, at a coin
// that lacks more, or in themselves (a loop). A coin that lacks one line is takeable.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "bits.hpp"
#include "dots.hpp"

namespace kletka::dots {

// A string from end to end: of a chain one line more than coins, of a loop as many.
struct String {
  int coins = 0;
  bool loop = false;
  bool grounded = false;  // a chain both of whose ends are at the ground
  bool turning = false;   // a chain both of whose ends are at one coin
  int opening = -1;       // the line to draw when it is opened: of two coins the one between them
};

// The line that a coin still lacks, or the lowest of several.
template <int W>
int lacking_line(const Graph& graph, const Bits<W>& undrawn, int coin) {
  return (undrawn & graph.mask<W>(coin)).first();
}

// Walk over beads from a coin, through one of its lines: `visit(line, coin)` for each line drawn over and the coin
// behind it while that is a bead. Where the walk ends: the coin that is no bead, -1 for the ground, `from` for a loop.
template <int W, class Visit>
int walk(const Graph& graph, const Bits<W>& undrawn, int from, int line, Visit visit) {
  int coin = graph.across(line, from);
  while (coin >= 0 && coin != from && lacking(graph, undrawn, coin) == 2) {
    visit(line, coin);
    auto rest = undrawn & graph.mask<W>(coin);
    rest.clear(line);
    line = rest.first();
    coin = graph.across(line, coin);
  }
  visit(line, -1);
  return coin;
}

// The string through a bead. Its lines are added to `lines`, its coins to `coins`.
template <int W>
String string_through(const Graph& graph, const Bits<W>& undrawn, int bead, Bits<W>& lines, Bits<2>& coins) {
  const int first = lacking_line(graph, undrawn, bead);
  String string{1, false, false, false, first};
  coins.set(bead);
  const auto visit = [&](int line, int coin) {
    lines.set(line);
    if (coin < 0) return;
    coins.set(coin);
    ++string.coins;
    string.opening = line;
  };
  const int end = walk(graph, undrawn, bead, first, visit);
  if (end == bead) {
    string.loop = true;
    return string;
  }
  auto rest = undrawn & graph.mask<W>(bead);
  rest.clear(first);
  const int other = walk(graph, undrawn, bead, rest.first(), visit);
  string.grounded = end < 0 && other < 0;
  string.turning = end >= 0 && end == other;
  return string;
}

// What is offered, and what becomes of it when it is taken in normal form: everything, except that the last two coins
// of one half-open chain or, where there is none, the last four of one closed chain may be left to the other side.
struct Offer {
  int taken = 0;   // coins that are taken whatever follows
  int held = 0;    // 0, 2 or 4: coins that may be left after these
  int take = -1;   // the line that begins the taking
  int leave = -1;  // the line that leaves the held coins, once no others are to be taken
};

// The takeable end of a string: how many coins it has, whether its far end is takeable too, and its first lines.
struct Taking {
  int coins = 1;
  int far = -1;  // the coin at the far end where that is takeable
  int lines[3] = {};

  int held() const { return far < 0 ? 2 * (coins == 2) : 4 * (coins == 4); }
};

template <int W>
Taking taking_from(const Graph& graph, const Bits<W>& undrawn, int coin) {
  Taking taking;
  int lines = 0;
  const int end = walk(graph, undrawn, coin, lacking_line(graph, undrawn, coin), [&](int line, int bead) {
    if (lines < 3) taking.lines[lines++] = line;
    if (bead >= 0) ++taking.coins;
  });
  if (end >= 0 && lacking(graph, undrawn, end) == 1) {
    taking.far = end;
    ++taking.coins;
  }
  return taking;
}

// Take all that is offered, held coins too: `undrawn` loses their lines. Only `coins` may be takeable.
template <int W>
Offer take_offer(const Graph& graph, Bits<W>& undrawn, Bits<2> coins) {
  Offer offer;
  while (true) {
    int next = -1;
    int kept = -1;
    Taking keeping;
    for (auto rest = coins; next < 0 && rest.any();) {
      const int coin = rest.first();
      rest.clear(coin);
      if (lacking(graph, undrawn, coin) != 1) {
        coins.clear(coin);
        continue;
      }
      const Taking taking = taking_from(graph, undrawn, coin);
      if (taking.held() == 0) {
        next = coin;
      } else if (kept < 0) {
        kept = coin;
        keeping = taking;
      } else if (coin != keeping.far) {
        // One string only may be kept, and rather two coins than four.
        next = keeping.held() > taking.held() ? kept : coin;
      }
    }
    if (next < 0) {
      if (kept < 0) return offer;
      offer.held = keeping.held();
      if (offer.take < 0) offer.take = keeping.lines[0];
      offer.leave = keeping.lines[1];
      for (int i = 0; i < (keeping.far < 0 ? 2 : 3); ++i) undrawn.clear(keeping.lines[i]);
      return offer;
    }
    const int line = lacking_line(graph, undrawn, next);
    if (offer.take < 0) offer.take = line;
    undrawn.clear(line);
    ++offer.taken;
    const int behind = graph.across(line, next);
    if (behind < 0) continue;
    const int lacks = lacking(graph, undrawn, behind);
    if (lacks == 0) ++offer.taken;
    if (lacks == 1) coins.set(behind);
  }
}

// The same for a string, `walked` being its lines, that was opened where nothing was takeable.
template <int W>
Offer take_string(const Graph& graph, Bits<W>& undrawn, const String& string, const Bits<W>& walked) {
  // Drawn to their ends, strings make other coins takeable only where they come back to one that lacks three.
  Bits<W> rest = undrawn.without(walked);
  if (!string.turning) {
    undrawn = rest;
    const int held = string.loop ? 4 * (string.coins >= 4) : 2 * (string.coins >= 3);
    return {string.coins - held, held, -1, -1};
  }
  Bits<2> touched;
  touched.set(graph.sides[string.opening].one);
  touched.set(graph.sides[string.opening].other);
  return take_offer(graph, undrawn, touched);
}

// Coins that lack one line.
template <int W>
Bits<2> takeable(const Graph& graph, const Bits<W>& undrawn) {
  Bits<2> found;
  for (int coin = 0; coin < graph.coins; ++coin)
    if (lacking(graph, undrawn, coin) == 1) found.set(coin);
  return found;
}

// Whether drawing a line makes no coin takeable, where none is.
template <int W>
bool safe(const Graph& graph, const Bits<W>& undrawn, int line) {
  const Graph::Sides& of = graph.sides[line];
  return lacking(graph, undrawn, of.one) == 3 && lacking(graph, undrawn, of.other) == 3;
}

// Where nothing is takeable: the moves among which there is a best one, safe lines first. Of strings that stand alone
// only the shortest of a kind need be opened.
template <int W, class Visit>
void each_principal(const Graph& graph, const Bits<W>& undrawn, Visit visit) {
  for (const int line : graph.inmost_first) {
    if (!undrawn.test(line) || !safe(graph, undrawn, line)) continue;
    if (graph.alike[line] == line || !undrawn.test(graph.alike[line])) visit(line);
  }
  // Chains of one coin, of two, of more, and loops, each standing alone.
  std::array<String, 4> shortest{};
  Bits<2> seen;
  for (int coin = 0; coin < graph.coins; ++coin) {
    if (seen.test(coin) || lacking(graph, undrawn, coin) != 2) continue;
    Bits<W> lines;
    const String string = string_through(graph, undrawn, coin, lines, seen);
    if (!(string.loop ? string.coins >= 4 : string.grounded)) {
      visit(string.opening);
      continue;
    }
    String& least = shortest[string.loop ? 3 : std::min(string.coins, 3) - 1];
    if (least.coins == 0 || string.coins < least.coins) least = string;
  }
  for (const auto& string : shortest)
    if (string.coins > 0) visit(string.opening);
}

}  // namespace kletka::dots
