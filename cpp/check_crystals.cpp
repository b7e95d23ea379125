// Crystals for a build with sanitizers: whole games under every rule by search, incremental masks against sheets read
// anew, and exact values against the values of what follows.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "crystals.hpp"
#include "crystals_exact.hpp"
#include "crystals_rules.hpp"
#include "crystals_search.hpp"
#include "search.hpp"

namespace {

using namespace kletka;
using namespace kletka::crystals;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

std::string text_of(const Position& position) {
  const auto& options = position.sheet.paper().options;
  std::string text;
  for (const auto cell : position.sheet.cells())
    text += cell == kFree ? '.' : cell == kDead ? '#' : static_cast<char>('a' + cell - 1);
  text += position.turn < 0 ? std::string(" -") : " " + std::to_string(position.turn);
  for (int seat = 0; seat < options.seats; ++seat)
    text += (seat == 0 ? " " : ",") + std::to_string(position.scores[static_cast<std::size_t>(seat)]);
  for (const auto seats : {position.passed, position.gone}) {
    text += ' ';
    for (int seat = 0; seat < options.seats; ++seat) text += static_cast<char>('0' + (seats >> seat & 1));
  }
  return text;
}

// What was kept up to date tells the same as what is read anew, before an atom, with it and without it again.
void same(const Sheet& empty, const Position& position) {
  Position kept = position;
  const Position fresh = read(empty, text_of(position));
  for (int square = 0; square < empty.paper().cells(); ++square) {
    if (kept.sheet.cell(square) != kFree) continue;
    kept.sheet.place(square, position.turn < 0 ? 0 : position.turn);
    kept.sheet.lift(square);
  }
  for (const Figure& figure : empty.paper().figures)
    for (int seat = 0; seat < empty.paper().options.seats; ++seat)
      for (const bool filled : {false, true}) {
        if (filled && !empty.paper().options.full) continue;
        const Extent one = kept.sheet.extent(figure, seat, filled);
        const Extent other = fresh.sheet.extent(figure, seat, filled);
        expect(one.size == other.size && one.atoms == other.atoms && one.rows == other.rows, "masks follow the atoms");
        if (!filled) expect(one.size == kept.sheet.reach(figure, seat), "both count the squares");
      }
}

void play(const Options& options, std::string cut, std::uint64_t seed) {
  const Paper paper(options, cut);
  const Sheet empty(paper);
  Position position{empty};
  position.turn = 0;
  SplitMix64 random(seed);
  for (int number = 0; position.turn >= 0; ++number) {
    if (number % 5 == 0) same(empty, position);
    Turn turn;
    if (random.below(4) == 0) {
      const auto all = moves(position);
      turn = all[random.below(static_cast<std::uint32_t>(all.size()))];
    } else {
      Watch watch(20'000, nullptr, {});
      const Sight sight{1 + static_cast<int>(random.below(4)), 3, static_cast<int>(random.below(3)),
                        static_cast<int>(random.below(50)), static_cast<int>(random.below(20))};
      Candidate chosen = Player(paper, sight, seed, watch).choose(position);
      turn.atom = chosen.atom;
      expect(options.any || chosen.crystals.size() < 2, "one crystal a turn");
      for (const auto& crystal : chosen.crystals) {
        int own = 0;
        for (const int square : crystal) {
          const auto cell = square == turn.atom ? 1 + position.turn : position.sheet.cell(square);
          expect(cell == kFree || cell == 1 + position.turn, "nothing foreign in a crystal");
          expect(!options.full || cell != kFree, "every square holds an atom");
          own += cell != kFree;
        }
        expect(own >= options.least, "enough atoms in a crystal");
        turn.crystal.insert(turn.crystal.end(), crystal.begin(), crystal.end());
      }
    }
    crystals::play(position, turn);
  }
  int squares = 0;
  for (const int score : position.scores) squares += score;
  int dead_squares = 0;
  for (int square = 0; square < paper.cells(); ++square)
    dead_squares += paper.there[static_cast<std::size_t>(square)] && position.sheet.cell(square) == kDead;
  expect(squares == dead_squares, "the squares of crystals are the scores");
}

void solve(const Options& options, std::uint64_t seed) {
  const Paper paper(options, std::string(static_cast<std::size_t>(options.width * options.height), '.'));
  Position position{Sheet(paper)};
  position.turn = 0;
  SplitMix64 random(seed);
  for (int number = 0; position.turn >= 0; ++number) {
    if (number > 3) {
      const auto value = [&](const Position& at) {
        Watch watch(1'000'000, nullptr, {});
        const Solved solved = Solver(at, Solver::kMostSquares, 12, watch).solve();
        expect(solved.known, "small positions are solved");
        return solved;
      };
      const Solved solved = value(position);
      Position after = position;
      Turn turn{solved.atom, {}, false};
      for (const auto& crystal : solved.crystals) turn.crystal.insert(turn.crystal.end(), crystal.begin(), crystal.end());
      const auto gain = static_cast<int>(turn.crystal.size());
      crystals::play(after, turn);
      expect(solved.net == gain - (after.turn < 0 ? 0 : value(after).net), "the best move is worth the value");
    }
    const auto all = moves(position);
    crystals::play(position, all[random.below(static_cast<std::uint32_t>(all.size()))]);
  }
}

}  // namespace

void check_crystals() {
  const std::string seven(49, '.');
  const std::string ring = "..........##......##......##......##..........";
  for (const int axes : {4, 2})
    for (const bool interlock : {false, true})
      for (const bool full : {false, true}) {
        play({7, 7, 2, axes, interlock, full, 4, false, false}, seven, 1);
        play({7, 7, 3, axes, interlock, full, 5, true, false}, seven, 2);
        play({5, 9, 2, axes, interlock, full, 4, true, false}, ring.substr(0, 45), 3);
        solve({3, 4, 2, axes, interlock, full, 4, full, false}, 4);
      }
  play({12, 11, 6, 4, false, false, 4, false, false}, std::string(132, '.'), 5);
  play({40, 1, 2, 2, true, false, 4, true, false}, std::string(40, '.'), 6);
  // The longest frontier: rings that were opened nowhere yet.
  const Paper wide({15, 15, 2, 4, true, false, 4, false, false}, std::string(225, '.'));
  Sheet sheet(wide);
  for (const int square : {16 * 3, 16 * 11, 14 * 4, 14 * 10 + 5, 7 * 15 + 3}) sheet.place(square, 1);
  int found = 0;
  each_maximal(sheet, 0, kWithoutBudget, [&](const Maximal& one) { found += one.exact; });
  expect(found > 0, "crystals at every centre");
}
