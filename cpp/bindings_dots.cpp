// kletka._kernels.Dots.

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "dots.hpp"
#include "dots_exact.hpp"
#include "dots_search.hpp"
#include "dots_table.hpp"
#include "uct.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace kletka;
using namespace kletka::dots;

// At least, at most, best lines, nodes.
using Value = std::tuple<int, int, std::vector<int>, std::uint64_t>;

class Dots {
  // Call with the number of 64-bit words that the lines need.
  template <class Call>
  auto sized(Call call) const {
    return graph_.lines <= 64 ? call.template operator()<1>() : call.template operator()<2>();
  }

  template <int W>
  Board<W> unfinished(std::string_view position) const {
    const auto board = Board<W>::read(graph_, position);
    if (board.over()) throw std::invalid_argument("the game is over");
    return board;
  }

  // The lines left of an unfinished game, and how many seats are at it.
  std::pair<Bits<2>, int> left(std::string_view position) const {
    return sized([&]<int W>() {
      const auto board = unfinished<W>(position);
      Bits<2> undrawn;
      board.undrawn.each([&](int line) { undrawn.set(line); });
      return std::pair(undrawn, std::popcount(board.present));
    });
  }

  Bits<2> left_of_two(std::string_view position) const {
    const auto [undrawn, seats] = left(position);
    if (seats != 2) throw std::invalid_argument("more than two seats");
    return undrawn;
  }

  template <template <int, int> class Kind, int W>
  Report search(const Board<W>& board, double exploration, std::uint64_t seed, Watch& watch,
                const Progress& tell, KeptTree& tree) const {
    if (graph_.seats == 2) return tree.search(&graph_, Kind<W, 2>(graph_, board), exploration, seed, watch, tell);
    if (graph_.seats == 3) return tree.search(&graph_, Kind<W, 3>(graph_, board), exploration, seed, watch, tell);
    return tree.search(&graph_, Kind<W, 4>(graph_, board), exploration, seed, watch, tell);
  }

  Graph graph_;

 public:
  Dots(int lines, const std::vector<std::vector<int>>& coins, const std::vector<int>& drawn, bool misere, int seats)
      : graph_(lines, coins, drawn, misere, seats) {}

  int lines() const { return graph_.lines; }
  int coins() const { return graph_.coins; }

  std::uint64_t perft(std::string_view position, int depth) const {
    nb::gil_scoped_release free;
    return sized([&]<int W>() { return dots::perft(graph_, Board<W>::read(graph_, position), depth); });
  }

  nb::tuple playouts(std::string_view position, std::uint64_t seed, std::uint64_t games, bool portable) const {
    Tally tally;
    {
      nb::gil_scoped_release free;
      tally = sized([&]<int W>() {
        return dots::playouts(graph_, Board<W>::read(graph_, position), seed, games, portable);
      });
    }
    nb::list told;
    for (int result = 0; result <= graph_.seats; ++result) told.append(tally.results[result]);
    told.append(tally.checksum);
    return nb::tuple(told);
  }

  Answer uct(std::string_view position, std::uint64_t nodes, std::uint64_t seed, double exploration, bool careful,
             KeptTree* kept, const Stop* stop, nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    KeptTree own;
    KeptTree& tree = kept ? *kept : own;
    return answer(sized([&]<int W>() {
      const auto board = unfinished<W>(position);
      return careful ? search<CarefulBoard, W>(board, exploration, seed, watch, tell, tree)
                     : search<RolloutBoard, W>(board, exploration, seed, watch, tell, tree);
    }));
  }

  Value exact(std::string_view position, std::uint64_t nodes, std::uint64_t memory, bool every, bool whole, bool outward,
              const Stop* stop, nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    Halved tell;
    if (!progress.is_none())
      tell = [&](int low, int high) {
        nb::gil_scoped_acquire held;
        progress(low, high, watch.nodes());
      };
    const Solved solved = solve(graph_, left_of_two(position), {whole, outward}, every, memory, watch, tell);
    return {solved.low, solved.high, solved.best, watch.nodes()};
  }

  Value table(std::string_view position, const Stop* stop, nb::object poll) const {
    const auto ask = asking(poll);
    nb::gil_scoped_release free;
    Watch watch(~std::uint64_t{0}, stop ? &stop->flag : nullptr, ask);
    const auto undrawn = left_of_two(position);
    try {
      const Solved solved = Table(graph_, undrawn, watch).solved();
      return {solved.low, solved.high, solved.best, watch.nodes()};
    } catch (const Stopped&) {
      return {-graph_.coins, graph_.coins, {}, watch.nodes()};
    }
  }

  std::tuple<std::vector<int>, std::vector<int>, std::uint64_t> shares(std::string_view position, const Stop* stop,
                                                                       nb::object poll) const {
    const auto ask = asking(poll);
    nb::gil_scoped_release free;
    Watch watch(~std::uint64_t{0}, stop ? &stop->flag : nullptr, ask);
    const auto [undrawn, seats] = left(position);
    try {
      const CoinsTable table(graph_, undrawn, seats, watch);
      const Coins coins = table.coins();
      return {{coins.begin(), coins.begin() + seats}, table.best(), watch.nodes()};
    } catch (const Stopped&) {
      return {{}, {}, watch.nodes()};
    }
  }
};

}  // namespace

void kletka::bind_dots(nb::module_& m) {
  nb::class_<Dots>(m, "Dots",
                   "A game of lines and coins. `coins` has the lines of each coin, `drawn` the lines drawn from the start.\n"
                   "A position has four words: 0 or 1 for each line (1: drawn), the seat to move, 0 or 1 for each seat\n"
                   "(1: has left), and the scores with commas between.")
      .def(nb::init<int, const std::vector<std::vector<int>>&, const std::vector<int>&, bool, int>(), "lines"_a,
           "coins"_a, "drawn"_a, "misere"_a = false, "seats"_a = 2)
      .def_prop_ro("lines", &Dots::lines)
      .def_prop_ro("coins", &Dots::coins)
      .def("perft", &Dots::perft, "position"_a, "depth"_a)
      .def("playouts", &Dots::playouts, "position"_a, "seed"_a, "games"_a, "portable"_a = false,
           "Wins of each seat, shared wins, checksum.")
      .def("uct", &Dots::uct, "position"_a, "nodes"_a, "seed"_a, "exploration"_a = 0.7, "careful"_a = false,
           "tree"_a = nb::none(), "stop"_a = nb::none(), "poll"_a = nb::none(), "progress"_a = nb::none(),
           "Move, thousandths of the win, line, nodes, exact.")
      .def("exact", &Dots::exact, "position"_a, "nodes"_a, "memory"_a, "every"_a = false, "whole"_a = false,
           "outward"_a = false, "stop"_a = nb::none(), "poll"_a = nb::none(), "progress"_a = nb::none(),
           "The least and the most that the mover may get more than the other side from here on (in misère less), the\n"
           "same where it is known; then a best line, or every one; nodes. `memory` is in bytes.")
      .def("table", &Dots::table, "position"_a, "stop"_a = nb::none(), "poll"_a = nb::none(),
           "The same, every line, by looking at all subsets of at most 31 lines. Two seats.")
      .def("shares", &Dots::shares, "position"_a, "stop"_a = nb::none(), "poll"_a = nb::none(),
           "For three and four: coins of each seat that is left, the mover's first, by max^n over all subsets of at most\n"
           "26 lines; lines that bring the mover most; nodes. Nothing where it was stopped.");
}
