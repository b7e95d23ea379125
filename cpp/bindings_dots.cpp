// kletka._kernels.Dots.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "dots.hpp"
#include "dots_exact.hpp"
#include "dots_search.hpp"
#include "uct.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace kletka;
using namespace kletka::dots;

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

  template <int W>
  Board<W> of_two(std::string_view position) const {
    const auto board = unfinished<W>(position);
    if (std::popcount(board.present) != 2) throw std::invalid_argument("more than two seats");
    return board;
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

  Answer exact(std::string_view position, std::uint64_t nodes, const Stop* stop, nb::object poll) const {
    const auto ask = asking(poll);
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    const Solved solved = sized([&]<int W>() {
      const int bits = std::clamp(static_cast<int>(std::bit_width(nodes)), 8, 22);
      return Solver<W>(graph_, bits, watch).solve(of_two<W>(position).undrawn);
    });
    return {solved.move, solved.net, {solved.move}, watch.nodes(), solved.known};
  }

  Answer table(std::string_view position) const {
    nb::gil_scoped_release free;
    return sized([&]<int W>() -> Answer {
      const auto board = of_two<W>(position);
      const Solved solved = Table::solve(graph_, board.undrawn);
      return {solved.move, solved.net, {solved.move}, std::uint64_t{1} << board.free, true};
    });
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
      .def("exact", &Dots::exact, "position"_a, "nodes"_a, "stop"_a = nb::none(), "poll"_a = nb::none(),
           "Move, coins more than the other side from here on, line, nodes, whether this is known. Normal play of two.")
      .def("table", &Dots::table, "position"_a,
           "The same by looking at every subset of at most 24 lines; in misère, coins fewer. Two seats.");
}
