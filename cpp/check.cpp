// Whole games by the searches of every kernel, for a build with sanitizers:
//   g++ -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all cpp/check*.cpp -o check && ./check

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "alphabeta.hpp"
#include "search.hpp"
#include "tictactoe.hpp"
#include "tictactoe_search.hpp"
#include "tictactoe_shared.hpp"
#include "uct.hpp"
#include "ultimate.hpp"

namespace {

using namespace kletka;
using namespace kletka::tictactoe;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

template <int W>
void check(const Shape& shape, std::uint64_t seed) {
  SplitMix64 random(seed);
  const auto empty = Board<W>::read(shape, std::string(static_cast<std::size_t>(shape.cells), '.'));
  for (int game = 0; game < 2; ++game) {
    auto board = empty;
    while (!board.over()) {
      Position<W> position(shape, board);
      const auto key = position.key();
      const auto hash = position.hash();
      const int estimate = position.estimate();
      Sight sight;
      sight.width = random.below(2) == 0 ? 5 : kMostPlies;
      sight.noise = static_cast<int>(random.below(50));
      Watch first(400, nullptr, {});
      const Report looked = AlphaBeta<Position<W>>(position, sight, seed, first).run(400, {});
      expect(board.open.test(looked.move), "alpha-beta plays an open cell");
      expect(position.key() == key && position.hash() == hash && position.estimate() == estimate,
             "all moves are taken back");
      Watch second(600, nullptr, {});
      const Report tried = uct(RolloutBoard<W>(shape, board), 0.7, seed, second, {});
      expect(board.open.test(tried.move), "UCT plays an open cell");
      board.play(shape, random.below(3) == 0 ? tried.move : looked.move);
    }
  }
  const Tally fast = playouts<W>(shape, empty, seed, 50, false);
  const Tally portable = playouts<W>(shape, empty, seed, 50, true);
  expect(fast.checksum == portable.checksum, "play-outs are the same on every processor");
  expect(perft<W>(shape, empty, 1) == static_cast<std::uint64_t>(empty.choices), "perft counts open cells");
}

// Take 1 to 3 from a heap; who takes the last wins. Taking 3 gives another turn.
template <int Seats>
struct Heap {
  static constexpr int kSeats = Seats;
  int left;
  int turn = 0;
  int taker = -1;

  bool over() const { return left == 0; }
  int seat() const { return turn; }

  Gains<Seats> gains() const {
    Gains<Seats> all{};
    all[static_cast<std::size_t>(taker)] = kWhole;
    return all;
  }

  void moves(std::vector<int>& out) const {
    for (int n = 1; n <= 3 && n <= left; ++n) out.push_back(n);
  }

  void play(int n) {
    left -= n;
    taker = turn;
    if (n < 3) turn = (turn + 1) % Seats;
  }

  Gains<Seats> play_out(SplitMix64& random, int& plies) {
    for (; left > 0; ++plies) play(1 + static_cast<int>(random.below(static_cast<std::uint32_t>(std::min(3, left)))));
    return gains();
  }

  bool operator==(const Heap&) const = default;
  bool before(const Heap& later) const { return later.left < left; }
};

// Whether the mover of a heap for two wins, by looking at everything.
bool wins(const Heap<2>& heap) {
  std::vector<int> moves;
  heap.moves(moves);
  for (const int n : moves) {
    Heap<2> after = heap;
    after.play(n);
    if (after.over() || wins(after) == (after.turn == heap.turn)) return true;
  }
  return false;
}

void check_turns() {
  for (int size = 1; size < 14; ++size) {
    const Heap<2> heap{size};
    Watch watch(100'000, nullptr, {});
    const Report report = uct(heap, 0.7, 1, watch, {});
    expect(report.exact && report.score == (wins(heap) ? 1000 : 0), "proofs mind turns in a row");
    Heap<2> after = heap;
    after.play(report.move);
    expect(!wins(heap) || after.over() || wins(after) == (after.turn == heap.turn), "a proven win is played");
  }
  // Three and two more at the same turn: the whole heap, before anybody else moves.
  Tree<Heap<3>> tree;
  tree.begin({5});
  Watch watch(5'000, nullptr, {});
  const Report report = Uct(tree, 0.7, 1, watch).run({});
  expect(report.move == 3 && report.score > 800 && !report.exact, "each of three seats plays for itself");
  const auto visits = tree.visits();
  Heap<3> after{5};
  after.play(3);
  tree.begin(after);
  expect(tree.visits() > visits / 2, "what lies below a move is kept");
  tree.begin({5});
  expect(tree.visits() == 0, "a tree begins anew where nothing is known");
}

template <bool Open>
void check_ultimate(const ultimate::Options& options, std::uint64_t seed) {
  SplitMix64 random(seed);
  const auto empty = ultimate::Board<Open>::read(options, std::string(90, '.') + '-', seed % 2 == 0);
  expect(ultimate::perft(empty, 4) == 55080, "perft of ultimate tic-tac-toe");
  Tree<ultimate::Board<Open>> tree;
  for (int game = 0; game < 2; ++game) {
    auto board = empty;
    while (!board.over()) {
      tree.begin(board);
      Watch watch(2'000, nullptr, {});
      const Report report = Uct(tree, 0.7, seed, watch).run({});
      std::vector<int> moves;
      board.moves(moves);
      expect(std::ranges::count(moves, report.move) == 1, "UCT plays a legal move");
      board.play(random.below(4) > 0 ? report.move : moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
    }
  }
  const Tally tally = ultimate::playouts(empty, seed, 200);
  expect(tally.results[0] + tally.results[1] + tally.results[2] == 200, "every play-out ends");
}

// Signs that belong to nobody: games by alpha-beta and at random, written down as text between the moves.
template <int W>
void check_shared(const SharedShape& shape, std::uint64_t seed) {
  SplitMix64 random(seed);
  for (int game = 0; game < 3; ++game) {
    std::string text(static_cast<std::size_t>(shape.cells), '.');
    while (true) {
      SharedPosition<W> position(shape, text);
      if (position.over()) break;
      const auto key = position.key();
      const auto hash = position.hash();
      const auto open = position.open();
      Watch watch(400, nullptr, {});
      const int move = AlphaBeta<SharedPosition<W>>(position, Sight{}, seed, watch).run(400, {}).move;
      expect(open.test(move / shape.signs), "alpha-beta of shared signs plays an open cell");
      expect(position.key() == key && position.hash() == hash && position.open() == open, "all signs are taken back");
      std::uint64_t replies = 0;
      open.each([&](int cell) {
        for (int sign = 0; sign < shape.signs; ++sign) {
          const int next = cell * shape.signs + sign;
          if (position.decides(next)) continue;
          position.play(next);
          replies += perft(shape, position, 1);
          position.undo(next);
        }
      });
      expect(perft(shape, position, 2) == replies, "perft counts the replies");
      const int played = random.below(3) == 0 ? open.first() * shape.signs : move;
      text[static_cast<std::size_t>(played / shape.signs)] = played % shape.signs ? 'o' : 'x';
    }
  }
}

}  // namespace

void check_crystals();
void check_dots();
void check_orapa();

int main() {
  check_turns();
  for (const bool count : {false, true})
    for (const bool misere : {false, true}) {
      for (const std::uint64_t seed : {1, 2}) {
        check_ultimate<false>({false, count, misere}, seed);
        check_ultimate<true>({true, count, misere}, seed);
      }
    }
  for (const bool misere : {false, true})
    for (const bool gravity : {false, true}) {
      check<1>(Shape({3, 3}, 3, misere, gravity), 1);
      check<1>(Shape({3, 3}, 1, misere, gravity), 2);
      check<1>(Shape({1, 9}, 2, misere, gravity), 3);
      check<1>(Shape({4, 4, 4}, 4, misere, gravity), 4);
      check<2>(Shape({9, 9}, 5, misere, gravity), 5);
      check<4>(Shape({15, 15}, 5, misere, gravity), 6);
      check<1>(Shape({5, 6}, 3, misere, gravity, true), 9);
      check<4>(Shape({15, 15}, 5, misere, gravity, true), 10);
      for (const bool wild : {false, true}) {
        check_shared<1>(SharedShape(Shape({3, 3}, 3, misere, gravity), 1, wild), 11);
        check_shared<1>(SharedShape(Shape({4, 5}, 3, misere, gravity, true), 1, wild), 12);
        check_shared<2>(SharedShape(Shape({9, 9}, 4, misere, gravity), 1, wild), 13);
      }
      check_shared<1>(SharedShape(Shape({4, 4}, 4, misere, gravity), 4, false), 14);
      check_shared<2>(SharedShape(Shape({5, 5}, 3, misere, gravity), 3, false), 15);
      check<6>(Shape({19, 19}, 6, misere, gravity), 7);
      check<8>(Shape({8, 8, 8}, 5, misere, gravity), 8);
    }
  check_crystals();
  check_dots();
  check_orapa();
  std::puts("all checks hold");
}
