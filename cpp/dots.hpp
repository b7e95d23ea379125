// Dots and Boxes, Dots and Triangles and any other game of lines and coins: boards, perft and random play-outs.
//
// The rules are those of src/kletka/games/dots.py and are checked against it by perft and checksums. The kernel knows
// no geometry: a coin is the set of its lines, a line belongs to one coin or two.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "playouts.hpp"

namespace kletka::dots {

inline constexpr int kMostLines = 128;
inline constexpr int kMostCoins = 127;
inline constexpr int kMostSeats = Tally::kMostSeats;

// Lines, coins and options. Immutable after construction.
struct Graph {
  // What completing costs nothing to look up: the coins of a line, `other` standing in twice where there is only one.
  struct Sides {
    std::uint8_t one = 0;
    std::uint8_t other = 0;
    std::uint8_t both = 0;  // whether `other` counts
  };

  int lines;
  int seats;
  bool misere;
  int coins;
  std::vector<Bits<2>> lines_of;   // of each coin
  std::vector<Sides> sides;        // of each line
  std::vector<int> alike;          // for each line the first that belongs to the same coins: they are interchangeable
  std::vector<int> inmost_first;   // the lines, those far from the border first
  Bits<2> border;                  // drawn from the start

  Graph(int lines_, const std::vector<std::vector<int>>& coins_, const std::vector<int>& drawn, bool misere_,
        int seats_)
      : lines(lines_), seats(seats_), misere(misere_), coins(static_cast<int>(coins_.size())) {
    if (lines < 1 || lines > kMostLines) throw std::invalid_argument("lines");
    if (coins < 1 || coins > kMostCoins) throw std::invalid_argument("coins");
    if (seats < 2 || seats > kMostSeats) throw std::invalid_argument("seats");
    for (const int line : drawn) border.set(checked(line));
    std::vector<std::vector<int>> coins_of(static_cast<std::size_t>(lines));
    lines_of.resize(coins_.size());
    for (int coin = 0; coin < coins; ++coin)
      for (const int line : coins_[static_cast<std::size_t>(coin)]) {
        lines_of[coin].set(checked(line));
        coins_of[line].push_back(coin);
      }
    sides.resize(coins_of.size());
    alike.resize(coins_of.size());
    for (int line = 0; line < lines; ++line) {
      const auto& of = coins_of[line];
      if (of.empty() || of.size() > 2) throw std::invalid_argument("a line belongs to one coin or two");
      sides[line] = {static_cast<std::uint8_t>(of.front()), static_cast<std::uint8_t>(of.back()), of.size() == 2};
      alike[line] = line;
      for (int earlier = line - 1; earlier >= 0; --earlier)
        if (coins_of[earlier] == of) alike[line] = earlier;
    }
    order_lines();
  }

  template <int W>
  Bits<W> mask(int coin) const {
    Bits<W> mask;
    for (int i = 0; i < W; ++i) mask.word[i] = lines_of[coin].word[i];
    return mask;
  }

  // The coin on the other side of a line; -1 for the ground beyond the border.
  int across(int line, int coin) const {
    const Sides& of = sides[line];
    return !of.both ? -1 : of.one == coin ? of.other : of.one;
  }

 private:
  int checked(int line) const {
    if (line < 0 || line >= lines) throw std::invalid_argument("no such line");
    return line;
  }

  void order_lines() {
    // How many lines lie between a coin and the ground.
    std::vector<int> depth(lines_of.size(), -1);
    std::vector<int> reached;
    for (int line = 0; line < lines; ++line)
      if (!sides[line].both && depth[sides[line].one] < 0) {
        depth[sides[line].one] = 1;
        reached.push_back(sides[line].one);
      }
    for (std::size_t i = 0; i < reached.size(); ++i)
      lines_of[reached[i]].each([&](int line) {
        const int next = across(line, reached[i]);
        if (next < 0 || depth[next] >= 0) return;
        depth[next] = depth[reached[i]] + 1;
        reached.push_back(next);
      });
    inmost_first.resize(sides.size());
    for (int line = 0; line < lines; ++line) inmost_first[line] = line;
    const auto deep = [&](int line) { return depth[sides[line].one] + (sides[line].both ? depth[sides[line].other] : 0); };
    std::stable_sort(inmost_first.begin(), inmost_first.end(), [&](int a, int b) { return deep(a) > deep(b); });
  }
};

// How many lines a coin lacks, counted no further than 3.
template <int W>
int lacking(const Graph& graph, const Bits<W>& undrawn, int coin) {
  int count = 0;
  for (int i = 0; i < W; ++i) {
    const auto one = undrawn.word[i] & graph.lines_of[coin].word[i];
    const auto two = one & (one - 1);
    const auto three = two & (two - 1);
    count += (one != 0) + (two != 0) + (three != 0);
  }
  return std::min(count, 3);
}

// The coins that drawing a line closed, `after` being the lines left then.
template <int W>
int closed_by(const Graph& graph, const Bits<W>& after, int line) {
  const Graph::Sides& of = graph.sides[line];
  return (lacking(graph, after, of.one) == 0) + (of.both && lacking(graph, after, of.other) == 0);
}

// A position: the lines left, whose turn it is, and who has how many coins.
template <int W>
struct Board {
  Bits<W> undrawn;
  std::uint8_t free = 0;  // lines left
  std::uint8_t turn = 0;
  std::uint8_t present = 0;                      // seats that haven't left, a bit each
  std::array<std::uint8_t, kMostSeats> next{};   // the seat after each, those that left out
  std::array<std::uint8_t, kMostSeats> scores{};

  bool operator==(const Board&) const = default;

  // Four words: 0 or 1 for each line (1: drawn), the seat to move, 0 or 1 for each seat (1: has left), and the scores
  // with commas between. Throws std::invalid_argument.
  static Board read(const Graph& graph, std::string_view text) {
    Board board;
    if (text.ends_with(' ')) throw std::invalid_argument("position: words");
    const auto drawn = word(text);
    if (static_cast<int>(drawn.size()) != graph.lines) throw std::invalid_argument("position: lines");
    for (int line = 0; line < graph.lines; ++line) {
      if (drawn[line] != '0' && drawn[line] != '1') throw std::invalid_argument("position: sign");
      if (drawn[line] == '1') continue;
      if (graph.border.test(line)) throw std::invalid_argument("position: border");
      board.undrawn.set(line);
      ++board.free;
    }
    const auto turn = word(text);
    if (turn.size() != 1 || turn[0] < '0' || turn[0] >= '0' + graph.seats) throw std::invalid_argument("position: turn");
    board.turn = static_cast<std::uint8_t>(turn[0] - '0');
    const auto gone = word(text);
    if (static_cast<int>(gone.size()) != graph.seats) throw std::invalid_argument("position: seats");
    for (int seat = 0; seat < graph.seats; ++seat) {
      if (gone[seat] != '0' && gone[seat] != '1') throw std::invalid_argument("position: seats");
      if (gone[seat] == '0') board.present = static_cast<std::uint8_t>(board.present | 1 << seat);
    }
    if (board.present == 0) throw std::invalid_argument("position: nobody is left");
    for (int seat = 0; seat < graph.seats; ++seat) {
      int after = seat;
      do after = (after + 1) % graph.seats;
      while (!(board.present >> after & 1));
      board.next[seat] = static_cast<std::uint8_t>(after);
    }
    board.read_scores(graph, word(text));
    if (!text.empty()) throw std::invalid_argument("position: words");
    if (!board.over() && !(board.present >> board.turn & 1)) throw std::invalid_argument("position: turn");
    return board;
  }

  bool over() const { return free == 0 || std::has_single_bit(present); }

  // Draw a line that isn't; how many coins it completed.
  int play(const Graph& graph, int line) {
    undrawn.clear(line);
    --free;
    const Graph::Sides& of = graph.sides[line];
    const int gained = static_cast<int>(complete(graph, of.one)) + static_cast<int>(complete(graph, of.other) & of.both);
    scores[turn] = static_cast<std::uint8_t>(scores[turn] + gained);
    turn = gained > 0 ? turn : next[turn];
    return gained;
  }

  bool complete(const Graph& graph, int coin) const {
    std::uint64_t rest = 0;
    for (int i = 0; i < W; ++i) rest |= undrawn.word[i] & graph.lines_of[coin].word[i];
    return rest == 0;
  }

  // The seats that win, a bit each: most coins, in misère fewest, among those that haven't left.
  unsigned winners(const Graph& graph) const {
    if (std::has_single_bit(present)) return present;
    int best = -1;
    unsigned seats = 0;
    for (int seat = 0; seat < graph.seats; ++seat) {
      if (!(present >> seat & 1)) continue;
      const int worth = graph.misere ? kMostCoins - scores[seat] : scores[seat];
      if (worth > best) seats = 0;
      if (worth >= best) seats |= 1u << seat;
      best = std::max(best, worth);
    }
    return seats;
  }

  // The seat that wins alone; the number of seats where several share the win.
  int result(const Graph& graph) const {
    const unsigned seats = winners(graph);
    return std::has_single_bit(seats) ? std::countr_zero(seats) : graph.seats;
  }

 private:
  // The text up to the first space, which is taken off.
  static std::string_view word(std::string_view& text) {
    const auto end = std::min(text.find(' '), text.size());
    const auto first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
  }

  void read_scores(const Graph& graph, std::string_view text) {
    int seat = 0;
    int score = -1;
    int sum = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i == text.size() || text[i] == ',') {
        if (score < 0 || seat >= graph.seats) throw std::invalid_argument("position: scores");
        scores[seat++] = static_cast<std::uint8_t>(score);
        sum += score;
        score = -1;
      } else {
        if (text[i] < '0' || text[i] > '9') throw std::invalid_argument("position: scores");
        score = 10 * std::max(score, 0) + text[i] - '0';
        if (score > kMostCoins) throw std::invalid_argument("position: scores");
      }
    }
    int taken = 0;
    for (int coin = 0; coin < graph.coins; ++coin) taken += complete(graph, coin);
    if (seat != graph.seats || sum > taken) throw std::invalid_argument("position: scores");
  }
};

// How many sequences of exactly `depth` moves there are.
template <int W>
std::uint64_t perft(const Graph& graph, const Board<W>& board, int depth) {
  if (depth <= 0) return 1;
  if (board.over()) return 0;
  if (depth == 1) return board.free;
  std::uint64_t count = 0;
  board.undrawn.each([&](int line) {
    Board<W> next = board;
    next.play(graph, line);
    count += perft(graph, next, depth - 1);
  });
  return count;
}

// Play to the end at random.
template <int W, bool Pdep, class Visit>
void play_out(const Graph& graph, Board<W>& board, SplitMix64& random, Visit visit) {
  while (!board.over()) {
    const int line = nth<W, Pdep>(board.undrawn, random.below(board.free));
    visit(line);
    board.play(graph, line);
  }
}

template <int W, bool Pdep>
Tally playouts(const Graph& graph, const Board<W>& start, std::uint64_t seed, std::uint64_t games) {
  SplitMix64 random(seed);
  Tally tally;
  for (std::uint64_t game = 0; game < games; ++game) {
    Board<W> board = start;
    play_out<W, Pdep>(graph, board, random, [&](int line) { tally.mix(static_cast<std::uint64_t>(line)); });
    tally.ended(board.result(graph));
  }
  return tally;
}

// `portable` leaves out instructions that not every processor has.
template <int W>
Tally playouts(const Graph& graph, const Board<W>& start, std::uint64_t seed, std::uint64_t games, bool portable) {
  return has_pdep() && !portable ? playouts<W, true>(graph, start, seed, games)
                                 : playouts<W, false>(graph, start, seed, games);
}

}  // namespace kletka::dots
