// Dots games for a build with sanitizers: whole games by every search, and exact values of boards that no lattice has
// against the table of all subsets.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "dots.hpp"
#include "dots_exact.hpp"
#include "dots_search.hpp"
#include "dots_table.hpp"
#include "search.hpp"
#include "uct.hpp"

namespace {

using namespace kletka;
using namespace kletka::dots;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

std::vector<std::vector<int>> boxes(int rows, int columns) {
  std::vector<std::vector<int>> coins;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int above = row * columns + column;
      const int left = (rows + 1) * columns + row * (columns + 1) + column;
      coins.push_back({above, above + columns, left, left + 1});
    }
  return coins;
}

template <int W>
Board<W> start(const Graph& graph) {
  const auto seats = static_cast<std::size_t>(graph.seats);
  std::string text;
  for (int line = 0; line < graph.lines; ++line) text += graph.border.test(line) ? '1' : '0';
  text += " 0 " + std::string(seats, '0') + " 0";
  for (std::size_t seat = 1; seat < seats; ++seat) text += ",0";
  return Board<W>::read(graph, text);
}

template <int W, int Seats>
void play(const Graph& graph, std::uint64_t seed) {
  SplitMix64 random(seed);
  auto board = start<W>(graph);
  while (!board.over()) {
    Watch first(400, nullptr, {});
    const Report plain = uct(RolloutBoard<W, Seats>(graph, board), 0.7, seed, first, {});
    Watch second(400, nullptr, {});
    const Report careful = uct(CarefulBoard<W, Seats>(graph, board), 0.7, seed, second, {});
    expect(board.undrawn.test(plain.move) && board.undrawn.test(careful.move), "UCT draws a line that is left");
    board.play(graph, random.below(3) == 0 ? plain.move : careful.move);
  }
  int coins = 0;
  for (const int score : board.scores) coins += score;
  expect(coins == graph.coins, "every coin has an owner");
  const Tally fast = playouts<W>(graph, start<W>(graph), seed, 50, false);
  const Tally portable = playouts<W>(graph, start<W>(graph), seed, 50, true);
  expect(fast.checksum == portable.checksum, "play-outs are the same on every processor");
  expect(perft<W>(graph, start<W>(graph), 1) == start<W>(graph).free, "perft counts lines left");
}

// Coins of one to four lines drawn at random, each line in one or two of them.
Graph random_graph(SplitMix64& random, bool misere) {
  const int lines = 4 + static_cast<int>(random.below(9));
  std::vector<int> coins_of(static_cast<std::size_t>(lines));
  std::vector<std::vector<int>> coins;
  for (auto number = 1 + random.below(7); number > 0; --number) {
    std::vector<int> coin;
    for (int line = 0; line < lines; ++line) {
      if (coin.size() == 4 || coins_of[line] == 2 || random.below(3) > 0) continue;
      coin.push_back(line);
      ++coins_of[line];
    }
    if (!coin.empty()) coins.push_back(coin);
  }
  for (int line = 0; line < lines; ++line)
    if (coins_of[line] == 0) coins.push_back({line});
  return Graph(lines, coins, {}, misere, 2);
}

// The value and every best line by the table and by all ways to search.
void compare(const Graph& graph, const Bits<2>& undrawn) {
  Watch unbounded(~std::uint64_t{0}, nullptr, {});
  const Solved expected = Table(graph, undrawn, unbounded).solved();
  for (const bool whole : {false, true})
    for (const bool outward : {false, true})
      for (const std::uint64_t memory : {1 << 10, 1 << 20}) {
        const Solved every = solve(graph, undrawn, {whole, outward}, true, memory, unbounded);
        expect(every.known() && every.low == expected.low, "the search finds the table's value");
        expect(every.best == expected.best, "every best line is found");
        if (!undrawn.any()) continue;
        const Solved one = solve(graph, undrawn, {whole, outward}, false, memory, unbounded);
        expect(one.low == expected.low && one.best.size() == 1, "a line is found");
        expect(std::ranges::binary_search(expected.best, one.best[0]), "the line is a best one");
      }
}

// Every position of a board that has few lines.
void compare_all(const Graph& graph) {
  Bits<2> undrawn;
  for (int line = 0; line < graph.lines; ++line)
    if (!graph.border.test(line)) undrawn.set(line);
  Watch unbounded(~std::uint64_t{0}, nullptr, {});
  const Table table(graph, undrawn, unbounded);
  const Left left(graph, undrawn);
  std::vector<int> number(static_cast<std::size_t>(graph.lines));
  for (int i = 0; i < left.graph.lines; ++i) number[left.lines[i]] = i;
  Solver<1> counting(left, {}, 1 << 22, unbounded);
  Solver<1> whole(left, {true, false}, 1 << 22, unbounded);
  for (std::uint64_t subset = 0; subset <= table.subsets().all(); ++subset) {
    Bits<1> lines;
    for (auto rest = subset; rest != 0; rest &= rest - 1)
      lines.set(number[table.subsets().line(std::countr_zero(rest))]);
    const int net = table.net(subset);
    for (auto* solver : {&counting, &whole})
      expect(solver->at_least(lines, net) && !solver->at_least(lines, net + 1), "every position has the table's value");
  }
}

}  // namespace

void check_dots() {
  for (const bool misere : {false, true}) {
    play<1, 2>(Graph(4, boxes(1, 1), {}, misere, 2), 1);
    play<1, 2>(Graph(31, boxes(3, 4), {0, 1, 2}, misere, 2), 2);
    play<1, 3>(Graph(24, boxes(3, 3), {}, misere, 3), 3);
    play<2, 4>(Graph(112, boxes(7, 7), {}, misere, 4), 4);
    play<2, 4>(Graph(67, boxes(2, 13), {}, misere, 4), 5);
  }
  SplitMix64 random(6);
  for (int number = 0; number < 400; ++number) {
    const Graph graph = random_graph(random, number % 4 == 0);
    Bits<2> undrawn;
    for (int line = 0; line < graph.lines; ++line)
      if (random.below(8) > 0) undrawn.set(line);
    compare(graph, undrawn);
  }
  const Graph wide(112, boxes(7, 7), {}, false, 2);
  for (int number = 0; number < 20; ++number) {
    Bits<2> undrawn;
    for (int line = 0; line < 11; ++line) undrawn.set(static_cast<int>(random.below(112)));
    compare(wide, undrawn);
  }
  for (const bool misere : {false, true}) {
    compare_all(Graph(12, boxes(2, 2), {}, misere, 2));
    compare_all(Graph(13, boxes(1, 4), {}, misere, 2));
  }
  // Loops that stand alone, whose turns are more than are looked for.
  std::vector<std::vector<int>> loops;
  for (int loop = 0; loop < 3; ++loop)
    for (int i = 0; i < 4; ++i) loops.push_back({4 * loop + i, 4 * loop + (i + 1) % 4});
  compare_all(Graph(12, loops, {}, false, 2));
}
