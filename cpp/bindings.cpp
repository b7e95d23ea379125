// The Python module kletka._kernels: integers and strings only. Searches and counts release the GIL.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "alphabeta.hpp"
#include "search.hpp"
#include "tictactoe.hpp"
#include "tictactoe_search.hpp"
#include "uct.hpp"
#include "ultimate.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace kletka;
namespace ttt = kletka::tictactoe;
namespace ult = kletka::ultimate;

struct Stop {
  std::atomic<bool> flag{false};
};

// Move, score, line, nodes, exact.
using Answer = std::tuple<int, int, std::vector<int>, std::uint64_t, bool>;

// First wins, second wins, draws, checksum.
using Counts = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

Counts counts(const Tally& tally) { return {tally.first, tally.second, tally.draws, tally.checksum}; }

Answer answer(const Report& report) { return {report.move, report.score, report.line, report.nodes, report.exact}; }

std::function<bool()> asking(const nb::object& poll) {
  if (poll.is_none()) return {};
  return [&poll] {
    nb::gil_scoped_acquire held;
    return nb::cast<bool>(poll());
  };
}

Progress telling(const nb::object& progress) {
  if (progress.is_none()) return {};
  return [&progress](const Report& report) {
    nb::gil_scoped_acquire held;
    progress(answer(report));
  };
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

  // Call with the number of 64-bit words that the board needs.
  template <class Call>
  auto sized(Call call) const {
    if (shape_.cells <= 64) return call.template operator()<1>();
    if (shape_.cells <= 128) return call.template operator()<2>();
    if (shape_.cells <= 256) return call.template operator()<4>();
    if (shape_.cells <= 384) return call.template operator()<6>();
    return call.template operator()<8>();
  }

  ttt::Shape shape_;

 public:
  Kernel(std::vector<int> sides, int line, bool misere, bool gravity)
      : shape_(std::move(sides), line, misere, gravity) {}

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
                   int threats, int noise, const Stop* stop, nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    const Sight sight{depth, width, threats, noise};
    if (depth < 1 || width < 1 || threats < 0 || noise < 0) throw std::invalid_argument("sight");
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    return answer(sized([&]<int W>() {
      ttt::Position<W> root(shape_, unfinished<W>(position));
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

// What a search of ultimate tic-tac-toe has learnt, kept by the caller for the next one.
struct UltimateTree {
  std::variant<std::monostate, Tree<ult::Board<false>>, Tree<ult::Board<true>>> of;
  std::atomic<bool> in_use{false};

  std::uint32_t visits() const {
    return std::visit(
        [](const auto& tree) -> std::uint32_t {
          if constexpr (requires { tree.visits(); })
            return tree.visits();
          else
            return 0;
        },
        of);
  }

  template <bool Open>
  Tree<ult::Board<Open>>& tree() {
    using Wanted = Tree<ult::Board<Open>>;
    return std::holds_alternative<Wanted>(of) ? std::get<Wanted>(of) : of.template emplace<Wanted>();
  }
};

// A tree in the hands of one search; another thread's search of it is refused.
class Holding {
 public:
  explicit Holding(UltimateTree& tree) : tree_(tree) {
    if (tree_.in_use.exchange(true)) throw std::invalid_argument("the tree is in use");
  }
  ~Holding() { tree_.in_use = false; }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  UltimateTree& tree_;
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
             UltimateTree* kept, const Stop* stop, nb::object poll, nb::object progress) const {
    const auto ask = asking(poll);
    const auto tell = telling(progress);
    nb::gil_scoped_release free;
    Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
    UltimateTree own;
    UltimateTree& tree = kept ? *kept : own;
    const Holding holding(tree);
    const auto search = [&]<bool Open>(const ult::Board<Open>& board) {
      if (board.over()) throw std::invalid_argument("the game is over");
      auto& of = tree.tree<Open>();
      of.begin(board);
      return Uct(of, exploration, seed, watch).run(tell);
    };
    return answer(at(position, search, keen));
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
      .def(nb::init<std::vector<int>, int, bool, bool>(), "sides"_a, "line"_a, "misere"_a = false,
           "gravity"_a = false)
      .def_prop_ro("cells", &Kernel::cells)
      .def_prop_ro("lines", &Kernel::lines)
      .def("perft", &Kernel::perft, "position"_a, "depth"_a)
      .def("playouts", &Kernel::playouts, "position"_a, "seed"_a, "games"_a, "portable"_a = false,
           "First wins, second wins, draws, checksum.")
      .def("alphabeta", &Kernel::alphabeta, "position"_a, "nodes"_a, "seed"_a, "depth"_a = kMostPlies,
           "width"_a = kMostPlies, "threats"_a = Sight{}.threats, "noise"_a = 0, "stop"_a = nb::none(), "poll"_a = nb::none(),
           "progress"_a = nb::none(), "Move, score, line, nodes, exact.")
      .def("uct", &Kernel::uct, "position"_a, "nodes"_a, "seed"_a, "exploration"_a = 0.7, "stop"_a = nb::none(),
           "poll"_a = nb::none(), "progress"_a = nb::none(), "Move, thousandths of the win, line, nodes, exact.");

  nb::class_<UltimateTree>(m, "UltimateTree",
                           "What `Ultimate.uct` has learnt: give it to the search of a later position.")
      .def(nb::init<>())
      .def_prop_ro("visits", &UltimateTree::visits);

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
}
