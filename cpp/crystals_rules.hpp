// The rules of Crystals as far as searches need them: maximal crystals, the principal moves, and the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "crystals.hpp"
#include "crystals_frontier.hpp"

namespace kletka::crystals {

// The largest crystal that a seat may see at a centre.
struct Maximal {
  int x, y;  // of the centre, in half squares
  std::vector<int> squares;
  int atoms;
  bool exact;
};

inline constexpr std::uint64_t kWithoutBudget = ~std::uint64_t{0};

namespace detail {

// The figures from `at` on that share its centre.
inline std::size_t alike(const Paper& paper, std::size_t at) {
  std::size_t end = at + 1;
  while (end < paper.figures.size() && paper.figures[end].x == paper.figures[at].x &&
         paper.figures[end].y == paper.figures[at].y)
    ++end;
  return end;
}

// The figure whose rows lie along the longer side, so that the frontier is short.
inline const Figure& longest(const Paper& paper, std::size_t at, std::size_t end) {
  return end - at > 1 && paper.figures[at + 1].count < paper.figures[at].count ? paper.figures[at + 1]
                                                                               : paper.figures[at];
}

inline bool within(const std::vector<int>& less, const std::vector<int>& more) {
  return std::includes(more.begin(), more.end(), less.begin(), less.end());
}

}  // namespace detail

// What doesn't interlock at a centre: under two axes by rows, by columns, by four axes, none part of another one.
template <class Visit>
void each_convex(const Sheet& sheet, int seat, bool filled, std::size_t at, std::size_t end, bool exact, Visit visit) {
  const Paper& paper = sheet.paper();
  std::vector<std::pair<std::vector<int>, int>> found;
  for (std::size_t number = at; number < end; ++number) {
    const Extent extent = sheet.extent(paper.figures[number], seat, filled);
    found.push_back({sheet.squares(paper.figures[number], extent), extent.atoms});
    std::sort(found.back().first.begin(), found.back().first.end());
  }
  for (std::size_t one = 0; one < found.size(); ++one) {
    bool part = static_cast<int>(found[one].first.size()) < paper.options.least;
    for (std::size_t other = 0; other < found.size() && !part; ++other)
      part = other != one && detail::within(found[one].first, found[other].first) &&
             (other < one || found[other].first.size() > found[one].first.size());
    if (!part)
      visit(Maximal{paper.figures[at].x, paper.figures[at].y, found[one].first, found[one].second, exact});
  }
}

// At one centre. `budget` bounds the states looked at where boundaries may interlock; with 0 a centre whose free
// squares leave a hole gets what the other rule allows, and so does one where the budget doesn't do.
template <class Visit>
void each_maximal_at(const Sheet& sheet, int seat, bool filled, std::uint64_t budget, std::size_t at, std::size_t end,
                     Visit visit) {
  const Paper& paper = sheet.paper();
  const int least = paper.options.least;
  if (!paper.options.interlock) {
    if (end - at == 1) {
      const Figure& figure = paper.figures[at];
      const Extent extent = sheet.extent(figure, seat, filled);
      if (extent.size >= least)
        visit(Maximal{figure.x, figure.y, sheet.squares(figure, extent), extent.atoms, true});
    } else {
      each_convex(sheet, seat, filled, at, end, true, visit);
    }
    return;
  }
  const Figure& figure = detail::longest(paper, at, end);
  const Folded folded(paper, figure);
  Folded::Rows taken = folded.joined(folded.open(sheet, seat, filled));
  if (folded.size(taken, sheet).first < least) return;
  if (folded.holed(taken)) {
    Frontier::Answer answer;
    if (budget > 0) answer = Frontier(folded, sheet, taken, filled ? 0 : least, budget).run();
    if (!answer.found) {
      each_convex(sheet, seat, filled, at, end, false, visit);
      return;
    }
    taken = answer.taken;
  }
  const auto [size, atoms] = folded.size(taken, sheet);
  if (size >= least) visit(Maximal{figure.x, figure.y, folded.squares(taken), atoms, true});
}

// All maximal crystals of a seat, centre by centre in canonical order, whatever atoms they hold.
template <class Visit>
void each_maximal(const Sheet& sheet, int seat, std::uint64_t budget, Visit visit) {
  const Paper& paper = sheet.paper();
  for (std::size_t at = 0, end; at < paper.figures.size(); at = end) {
    end = detail::alike(paper, at);
    // Most centres lie on squares that the seat can't use.
    const std::uint32_t row = paper.figures[at].row;
    const std::uint32_t bad = paper.options.full ? sheet.unfilled(row, seat) : sheet.barred(row, seat);
    if (bad & 1) continue;
    each_maximal_at(sheet, seat, paper.options.full, budget, at, end, visit);
  }
}

// Size and atoms of all of them where boundaries may not interlock and there are four axes, without their squares.
inline std::uint64_t survey(const Sheet& sheet, int seat) {
  std::uint64_t sum = 0;
  for (const Figure& figure : sheet.paper().figures) {
    const Extent extent = sheet.extent(figure, seat, sheet.paper().options.full);
    if (extent.size >= sheet.paper().options.least)
      sum = (sum ^ static_cast<std::uint64_t>(extent.size << 8 | extent.atoms)) * 0x9E3779B97F4A7C15u;
  }
  return sum;
}

// The squares that a seat's crystals may still cover, all together: those of the maximal ones out of what is free or
// holds its free atoms. Where boundaries may interlock everything joined to a centre counts, more than one outline has.
inline std::vector<bool> reach(const Sheet& sheet, int seat) {
  const Paper& paper = sheet.paper();
  std::vector<bool> covered(static_cast<std::size_t>(paper.cells()));
  const auto cover = [&](const std::vector<int>& squares) {
    if (static_cast<int>(squares.size()) < paper.options.least) return;
    for (const int square : squares) covered[static_cast<std::size_t>(square)] = true;
  };
  for (std::size_t at = 0, end; at < paper.figures.size(); at = end) {
    end = detail::alike(paper, at);
    if (sheet.barred(paper.figures[at].row, seat) & 1) continue;
    if (paper.options.interlock) {
      const Folded folded(paper, paper.figures[at]);
      cover(folded.squares(folded.joined(folded.open(sheet, seat, false))));
      continue;
    }
    for (std::size_t number = at; number < end; ++number) {
      const Figure& figure = paper.figures[number];
      cover(sheet.squares(figure, sheet.extent(figure, seat, false)));
    }
  }
  return covered;
}

// Whether a crystal of `least` squares still fits into what is free or holds a seat's free atoms. Where boundaries may
// interlock no hole need be cut open: orbits added one by one from the innermost leave none before they are `least`
// squares or more.
inline bool fits(const Sheet& sheet, int seat) {
  const Paper& paper = sheet.paper();
  for (const Figure& figure : paper.figures)
    if (sheet.reach(figure, seat) >= paper.options.least) return true;
  if (!paper.options.interlock || (paper.options.axes == 4 && paper.options.least == 4)) return false;
  for (std::size_t at = 0, end; at < paper.figures.size(); at = end) {
    end = detail::alike(paper, at);
    const Folded folded(paper, detail::longest(paper, at, end));
    if (folded.size(folded.joined(folded.open(sheet, seat, false)), sheet).first >= paper.options.least) return true;
  }
  return false;
}

inline bool dead(const Position& position) {
  for (int seat = 0; seat < position.sheet.paper().options.seats; ++seat)
    if ((position.staying() >> seat & 1) && fits(position.sheet, seat)) return false;
  return true;
}

inline bool any_free(const Sheet& sheet) {
  const auto& cells = sheet.cells();
  return std::find(cells.begin(), cells.end(), kFree) != cells.end();
}

// Whether everyone has passed or nothing can be placed or grown any more, or fewer than two are left.
inline bool ended(const Position& position) {
  const std::uint32_t staying = position.staying();
  return (staying & (staying - 1)) == 0 || (staying & ~position.passed) == 0 ||
         (position.sheet.paper().options.full && !any_free(position.sheet)) || dead(position);
}

// What a turn does.
struct Turn {
  int atom = -1;  // a square; -1: none
  std::vector<int> crystal;
  bool swap = false;
};

// The first of the largest crystals that a seat can grow now; empty: none.
inline std::vector<int> best(const Sheet& sheet, int seat) {
  std::vector<int> found;
  each_maximal(sheet, seat, 0, [&](Maximal one) {
    if (one.atoms >= sheet.paper().options.least && one.squares.size() > found.size()) found = std::move(one.squares);
  });
  return found;
}

inline bool swaps(const Position& position) {
  if (!position.sheet.paper().options.swap || position.turn != 1 || position.passed != 0) return false;
  const auto& cells = position.sheet.cells();
  int atoms = 0, first = 0;
  for (int square = 0; square < static_cast<int>(cells.size()); ++square) {
    if (cells[square] == kDead && position.sheet.paper().there[square]) return false;
    atoms += cells[square] != kFree && cells[square] != kDead;
    first += cells[square] == 1;
  }
  return atoms == 1 && first == 1;
}

// Every atom alone, and with the largest crystal that can be grown then; passing likewise; the swap.
inline std::vector<Turn> moves(const Position& position) {
  std::vector<Turn> found;
  if (position.turn < 0) return found;
  Sheet sheet = position.sheet;
  const auto both = [&](int atom) {
    found.push_back({atom, {}, false});
    auto crystal = best(sheet, position.turn);
    if (!crystal.empty()) found.push_back({atom, std::move(crystal), false});
  };
  for (int square = 0; square < sheet.paper().cells(); ++square) {
    if (sheet.cell(square) != kFree) continue;
    sheet.place(square, position.turn);
    both(square);
    sheet.lift(square);
  }
  both(-1);
  if (swaps(position)) found.push_back({-1, {}, true});
  return found;
}

inline int next_seat(const Position& position) {
  const int seats = position.sheet.paper().options.seats;
  int seat = position.turn;
  do seat = (seat + 1) % seats;
  while (position.gone >> seat & 1);
  return seat;
}

inline void play(Position& position, const Turn& turn) {
  Sheet& sheet = position.sheet;
  if (turn.swap) {
    for (int square = 0; square < sheet.paper().cells(); ++square)
      if (sheet.cell(square) == 1) {
        sheet.lift(square);
        sheet.place(square, 1);
      }
    position.turn = 0;
    return;
  }
  if (turn.atom >= 0) sheet.place(turn.atom, position.turn);
  for (const int square : turn.crystal) sheet.kill(square);
  position.scores[position.turn] += static_cast<int>(turn.crystal.size());
  position.passed = turn.atom >= 0 || !turn.crystal.empty() ? 0 : position.passed | 1u << position.turn;
  position.turn = next_seat(position);
  if (ended(position)) position.turn = -1;
}

inline std::uint64_t perft(const Position& position, int depth) {
  if (depth == 0) return 1;
  const auto turns = moves(position);
  if (depth == 1) return turns.size();
  std::uint64_t sum = 0;
  for (const Turn& turn : turns) {
    Position after = position;
    play(after, turn);
    sum += perft(after, depth - 1);
  }
  return sum;
}

// Random games of at most so many turns each, chosen evenly among the principal moves; mixes how many there are, which
// is played, and in the end the scores.
inline std::uint64_t checksum(const Position& position, std::uint64_t seed, int games, int turns) {
  SplitMix64 random(seed);
  std::uint64_t sum = 0;
  const auto mix = [&](std::uint64_t value) { sum = (std::rotl(sum, 5) ^ value) * 0x9E3779B97F4A7C15u; };
  for (int game = 0; game < games; ++game) {
    Position at = position;
    for (int number = 0; number < turns && at.turn >= 0; ++number) {
      const auto found = moves(at);
      const auto chosen = random.below(static_cast<std::uint32_t>(found.size()));
      mix(found.size());
      mix(chosen);
      play(at, found[chosen]);
    }
    mix(at.turn < 0 ? 1 : 0);
    for (int seat = 0; seat < at.sheet.paper().options.seats; ++seat) mix(static_cast<std::uint64_t>(at.scores[seat]));
  }
  return sum;
}

}  // namespace kletka::crystals
