// The Python module kletka._kernels: integers and strings only. Searches and counts release the GIL.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "alphabeta.hpp"
#include "bindings.hpp"
#include "search.hpp"
#include "tictactoe.hpp"
#include "tictactoe_search.hpp"
#include "tictactoe_shared.hpp"
#include "uct.hpp"
#include "ultimate.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace kletka;
namespace ttt = kletka::tictactoe;
namespace ult = kletka::ultimate;

// First wins, second wins, draws, checksum.
using Counts = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

Counts counts(const Tally& tally) { return {tally.results[0], tally.results[1], tally.results[2], tally.checksum}; }

// Call with the number of 64-bit words that so many cells need.
template <class Call>
auto sized(int cells, Call call) {
  if (cells <= 64) return call.template operator()<1>();
  if (cells <= 128) return call.template operator()<2>();
  if (cells <= 256) return call.template operator()<4>();
  if (cells <= 384) return call.template operator()<6>();
  return call.template operator()<8>();
}

class Kernel {
  template <int W>
  ttt::Board<W> read(std::string_view position) const {
    return ttt::Board<W>::read(shape_, position);
  }

  template <int W>
  ttt::Board<W> unfinished(std::string_view position) const {
    auto board = read<W>(position);
    if (board.over()) throw std::invalid_argument("the game is over");
    return board;
  }

  template <class Call>
  auto sized(Call call) const {
    return ::sized(shape_.cells, call);
  }

  ttt::Shape shape_;

 public:
  Kernel(std::vector<int> sides, int line, bool misere, bool gravity, bool exact)
      : shape_(std::move(sides), line, misere, gravity, exact) {}

  int cells() const { return shape_.cells; }
  int lines() const { return shape_.lines; }

  std::uint64_t perft(std::string_view position, int depth) const {
    nb::gil_scoped_release free;
    return sized([&]<int W>() { return ttt::perft(shape_, read<W>(position), depth); });
  }

  Counts playouts(std::string_view position, std::uint64_t seed, std::uint64_t games, bool portable) const {
    nb::gil_scoped_release free;
    return counts(sized([&]<int W>() { return ttt::playouts(shape_, read<W>(position), seed, games, portable); }));
  }

  Answer alphabeta(std::string_view position, std::uint64_t nodes, std::uint64_t seed, int depth, int width,
                   int threats, int noise, bool past_lines, const Stop* stop, nb::object poll,
                   nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    const Sight sight{depth, width, threats, noise};
    if (depth < 1 || width < 1 || threats < 0 || noise < 0) throw std::invalid_argument("sight");
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    return answer(sized([&]<int W>() {
      const auto board = past_lines ? read<W>(position) : unfinished<W>(position);
      if (board.free == 0) throw std::invalid_argument("the game is over");
      ttt::Position<W> root(shape_, board);
      return AlphaBeta<ttt::Position<W>>(root, sight, seed, watch).run(nodes, tell);
    }));
  }

  Answer uct(std::string_view position, std::uint64_t nodes, std::uint64_t seed, double exploration, const Stop* stop,
             nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    return answer(sized([&]<int W>() {
      const ttt::RolloutBoard<W> root(shape_, unfinished<W>(position));
      return kletka::uct(root, exploration, seed, watch, tell);
    }));
  }
};

class UltimateKernel {
  // Call with the board of a position.
  template <class Call>
  auto at(std::string_view position, Call call, bool keen = false) const {
    return options_.open ? call(ult::Board<true>::read(options_, position, keen))
                         : call(ult::Board<false>::read(options_, position, keen));
  }

  ult::Options options_;

 public:
  UltimateKernel(bool open, bool count, bool misere) : options_{open, count, misere} {}

  std::uint64_t perft(std::string_view position, int depth) const {
    nb::gil_scoped_release free;
    return at(position, [&](const auto& board) { return ult::perft(board, depth); });
  }

  Counts playouts(std::string_view position, std::uint64_t seed, std::uint64_t games) const {
    nb::gil_scoped_release free;
    return counts(at(position, [&](const auto& board) { return ult::playouts(board, seed, games); }));
  }

  Answer uct(std::string_view position, std::uint64_t nodes, std::uint64_t seed, double exploration, bool keen,
             KeptTree* kept, const Stop* stop, nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    KeptTree own;
    const auto search = [&](const auto& board) {
      if (board.over()) throw std::invalid_argument("the game is over");
      return (kept ? *kept : own).search(&options_, board, exploration, seed, watch, tell);
    };
    return answer(at(position, search, keen));
  }
};

class SharedKernel {
  ttt::SharedShape shape_;

 public:
  SharedKernel(std::vector<int> sides, int line, bool misere, bool gravity, bool exact, int boards, bool wild)
      : shape_(ttt::Shape(std::move(sides), line, misere, gravity, exact), boards, wild) {}

  int cells() const { return shape_.cells; }

  std::uint64_t perft(std::string_view position, int depth) const {
    nb::gil_scoped_release free;
    return sized(shape_.cells, [&]<int W>() {
      ttt::SharedPosition<W> at(shape_, position);
      return ttt::perft(shape_, at, depth);
    });
  }

  Answer alphabeta(std::string_view position, std::uint64_t nodes, std::uint64_t seed, int depth, int width,
                   int threats, int noise, const Stop* stop, nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    const Sight sight{depth, width, threats, noise};
    if (depth < 1 || width < 1 || threats < 0 || noise < 0) throw std::invalid_argument("sight");
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    return answer(sized(shape_.cells, [&]<int W>() {
      ttt::SharedPosition<W> root(shape_, position);
      if (root.over()) throw std::invalid_argument("the game is over");
      return AlphaBeta<ttt::SharedPosition<W>>(root, sight, seed, watch).run(nodes, tell);
    }));
  }
};

}  // namespace

NB_MODULE(_kernels, m) {
  m.doc() = "Fast search and counting; kletka.engines is its only user.";

  nb::class_<Stop>(m, "Stop", "A flag that any thread may set to end a search.")
      .def(nb::init<>())
      .def("set", [](Stop& stop) { stop.flag.store(true, std::memory_order_relaxed); })
      .def("is_set", [](const Stop& stop) { return stop.flag.load(std::memory_order_relaxed); });

  nb::class_<Kernel>(m, "TicTacToe", "Tic-tac-toe with its options fixed. A position has one of x, o and . a cell.")
      .def(nb::init<std::vector<int>, int, bool, bool, bool>(), "sides"_a, "line"_a, "misere"_a = false,
           "gravity"_a = false, "exact"_a = false)
      .def_prop_ro("cells", &Kernel::cells)
      .def_prop_ro("lines", &Kernel::lines)
      .def("perft", &Kernel::perft, "position"_a, "depth"_a)
      .def("playouts", &Kernel::playouts, "position"_a, "seed"_a, "games"_a, "portable"_a = false,
           "First wins, second wins, draws, checksum.")
      .def("alphabeta", &Kernel::alphabeta, "position"_a, "nodes"_a, "seed"_a, "depth"_a = kMostPlies,
           "width"_a = kMostPlies, "threats"_a = Sight{}.threats, "noise"_a = 0, "past_lines"_a = false,
           "stop"_a = nb::none(), "poll"_a = nb::none(), "progress"_a = nb::none(),
           "Move, score, line, nodes, exact. With past_lines a line that stands already ends nothing.")
      .def("uct", &Kernel::uct, "position"_a, "nodes"_a, "seed"_a, "exploration"_a = 0.7, "stop"_a = nb::none(),
           "poll"_a = nb::none(), "progress"_a = nb::none(), "Move, thousandths of the win, line, nodes, exact.");

  nb::class_<KeptTree>(m, "Tree", "What `uct` has learnt: give it to the search of a later position.")
      .def(nb::init<>())
      .def_prop_ro("visits", &KeptTree::visits);

  nb::class_<UltimateKernel>(m, "Ultimate",
                             "Ultimate tic-tac-toe with its options fixed. A position has one of x, o and . for each "
                             "of 81 moves and 9 owners, and the board to play in, 0 to 8 or -.")
      .def(nb::init<bool, bool, bool>(), "open"_a = false, "count"_a = false, "misere"_a = false)
      .def("perft", &UltimateKernel::perft, "position"_a, "depth"_a)
      .def("playouts", &UltimateKernel::playouts, "position"_a, "seed"_a, "games"_a,
           "First wins, second wins, draws, checksum.")
      .def("uct", &UltimateKernel::uct, "position"_a, "nodes"_a, "seed"_a, "exploration"_a = 0.7,
           "keen"_a = false, "tree"_a = nb::none(), "stop"_a = nb::none(), "poll"_a = nb::none(),
           "progress"_a = nb::none(), "Move, thousandths of the win, line, nodes, exact.");

  nb::class_<SharedKernel>(m, "SharedTicTacToe", "Wild tic-tac-toe and crosses only, with options fixed.")
      .def(nb::init<std::vector<int>, int, bool, bool, bool, int, bool>(), "sides"_a, "line"_a, "misere"_a,
           "gravity"_a, "exact"_a, "boards"_a, "wild"_a)
      .def_prop_ro("cells", &SharedKernel::cells)
      .def("perft", &SharedKernel::perft, "position"_a, "depth"_a)
      .def("alphabeta", &SharedKernel::alphabeta, "position"_a, "nodes"_a, "seed"_a, "depth"_a = kMostPlies,
           "width"_a = kMostPlies, "threats"_a = 0, "noise"_a = 0, "stop"_a = nb::none(), "poll"_a = nb::none(),
           "progress"_a = nb::none(), "Move, score, line, nodes, exact.");

  bind_crystals(m);
  bind_dots(m);
  bind_orapa(m);
}
