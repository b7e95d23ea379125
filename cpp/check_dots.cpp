// Dots games for a build with sanitizers: whole games by every search, and exact values of boards that no lattice has
// against the table of all subsets.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "dots.hpp"
#include "dots_exact.hpp"
#include "dots_search.hpp"
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
Graph random_graph(SplitMix64& random) {
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
  return Graph(lines, coins, {}, false, 2);
}

template <int W>
void solve(const Graph& graph, const Bits<W>& undrawn) {
  Watch watch(1'000'000, nullptr, {});
  const Solved solved = Solver<W>(graph, 10, watch).solve(undrawn);
  expect(solved.known && solved.net == Table::solve(graph, undrawn).net, "the search finds the table's value");
  if (!undrawn.any()) return;
  Bits<W> rest = undrawn;
  rest.clear(solved.move);
  Board<W> board = start<W>(graph);
  board.undrawn = undrawn;
  const int gained = board.play(graph, solved.move);
  const int after = Table::solve(graph, rest).net;
  expect(solved.net == (gained > 0 ? gained + after : -after), "its move is worth that");
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
  for (int number = 0; number < 600; ++number) {
    const Graph graph = random_graph(random);
    Bits<1> undrawn;
    for (int line = 0; line < graph.lines; ++line)
      if (random.below(8) > 0) undrawn.set(line);
    solve(graph, undrawn);
  }
  const Graph wide(112, boxes(7, 7), {}, false, 2);
  for (int number = 0; number < 40; ++number) {
    Bits<2> undrawn;
    for (int line = 0; line < 10; ++line) undrawn.set(static_cast<int>(random.below(112)));
    solve(wide, undrawn);
  }
}
