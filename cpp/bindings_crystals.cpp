// kletka._kernels.Crystals.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "crystals.hpp"
#include "crystals_exact.hpp"
#include "crystals_rules.hpp"
#include "crystals_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace kletka;
using namespace kletka::crystals;

class CrystalsKernel {
  Position read(std::string_view position) const { return crystals::read(empty_, position); }

  Position unfinished(std::string_view position) const {
    auto found = read(position);
    if (found.turn < 0) throw std::invalid_argument("the game is over");
    return found;
  }

  void check_seat(int seat) const {
    if (seat < 0 || seat >= paper_.options.seats) throw std::invalid_argument("no such seat");
  }

  Paper paper_;
  Sheet empty_;

 public:
  CrystalsKernel(int width, int height, std::string_view cut, int seats, int axes, bool interlock, bool full, int least,
                 bool any, bool swap)
      : paper_({width, height, seats, axes, interlock, full, least, any, swap}, cut), empty_(paper_) {}
  CrystalsKernel(const CrystalsKernel&) = delete;

  nb::list maximal(std::string_view position, int seat, std::uint64_t budget) const {
    check_seat(seat);
    const Position at = read(position);
    std::vector<Maximal> found;
    {
      nb::gil_scoped_release free;
      each_maximal(at.sheet, seat, budget, [&](Maximal one) { found.push_back(std::move(one)); });
    }
    nb::list told;
    for (const Maximal& one : found) told.append(nb::make_tuple(one.x, one.y, one.squares, one.atoms, one.exact));
    return told;
  }

  std::uint64_t survey(std::string_view position, int seat, int times) const {
    check_seat(seat);
    const Position at = read(position);
    nb::gil_scoped_release free;
    std::uint64_t sum = 0;
    for (int time = 0; time < times; ++time) sum += crystals::survey(at.sheet, seat);
    return sum;
  }

  int reach(std::string_view position, int seat) const {
    check_seat(seat);
    const auto covered = crystals::reach(read(position).sheet, seat);
    return static_cast<int>(std::count(covered.begin(), covered.end(), true));
  }

  bool dead(std::string_view position) const { return crystals::dead(read(position)); }

  std::uint64_t perft(std::string_view position, int depth) const {
    const Position at = read(position);
    nb::gil_scoped_release free;
    return crystals::perft(at, depth);
  }

  std::uint64_t checksum(std::string_view position, std::uint64_t seed, int games, int turns) const {
    const Position at = read(position);
    nb::gil_scoped_release free;
    return crystals::checksum(at, seed, games, turns);
  }

  nb::tuple choose(std::string_view position, std::uint64_t nodes, std::uint64_t seed, int plies, int width, int reach,
                   int miss, int noise, const Stop* stop, nb::object poll) const {
    const Position at = unfinished(position);
    if (plies < 1 || width < 1 || reach < 0 || miss < 0 || miss > 100 || noise < 0) throw std::invalid_argument("sight");
    const auto ask = asking(poll);
    Candidate chosen;
    std::uint64_t visited = 0;
    {
      nb::gil_scoped_release free;
      Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
      chosen = Player(paper_, {plies, width, reach, miss, noise}, seed, watch).choose(at);
      visited = watch.nodes();
    }
    return nb::make_tuple(chosen.atom, chosen.crystals, chosen.worth, visited);
  }

  nb::tuple exact(std::string_view position, std::uint64_t nodes, int most, int bits, const Stop* stop, nb::object poll) const {
    const Position at = unfinished(position);
    if (bits < 1 || bits > 26) throw std::invalid_argument("bits");
    const auto ask = asking(poll);
    Solved solved;
    std::uint64_t visited = 0;
    {
      nb::gil_scoped_release free;
      Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
      solved = Solver(at, most, bits, watch).solve();
      visited = watch.nodes();
    }
    return nb::make_tuple(solved.atom, solved.crystals, solved.net, visited, solved.known);
  }
};

}  // namespace

void kletka::bind_crystals(nb::module_& m) {
  nb::class_<CrystalsKernel>(
      m, "Crystals",
      "Crystals with its options fixed; `cut` has . for each square of the bounding rectangle, # where one is cut out.\n"
      "A position is the grid row by row from below (. free, a..f a seat's free atom, # dead), the seat to move (-: over),\n"
      "scores joined by commas, 0 or 1 a seat for those that have passed, and for those that have left.")
      .def(nb::init<int, int, std::string_view, int, int, bool, bool, int, bool, bool>(), "width"_a, "height"_a, "cut"_a,
           "seats"_a, "axes"_a, "interlock"_a, "full"_a, "least"_a, "any"_a, "swap"_a)
      .def("maximal", &CrystalsKernel::maximal, "position"_a, "seat"_a, "budget"_a = kWithoutBudget,
           "All maximal crystals of a seat: centre in half squares (across, up), squares, atoms, whether exact.")
      .def("survey", &CrystalsKernel::survey, "position"_a, "seat"_a, "times"_a = 1,
           "A checksum of sizes and atoms of the maximal crystals that don't interlock, so many times over.")
      .def("reach", &CrystalsKernel::reach, "position"_a, "seat"_a,
           "How many squares a seat's crystals may still cover, all together.")
      .def("dead", &CrystalsKernel::dead, "position"_a, "Whether no seat at the table can ever grow a crystal.")
      .def("perft", &CrystalsKernel::perft, "position"_a, "depth"_a)
      .def("checksum", &CrystalsKernel::checksum, "position"_a, "seed"_a, "games"_a, "turns"_a,
           "Of random games among the principal moves.")
      .def("choose", &CrystalsKernel::choose, "position"_a, "nodes"_a, "seed"_a, "plies"_a = 2, "width"_a = 16,
           "reach"_a = 0, "miss"_a = 0, "noise"_a = 0, "stop"_a = nb::none(), "poll"_a = nb::none(),
           "The square to place an atom on (-1: none), crystals to grow, what the move is worth, nodes.")
      .def("exact", &CrystalsKernel::exact, "position"_a, "nodes"_a, "most"_a = Solver::kMostSquares, "bits"_a = 18, "stop"_a = nb::none(),
           "poll"_a = nb::none(),
           "A best move as in choose, the squares that the mover gets more from here on, nodes, whether that is known:\n"
           "not where more than `most` free squares matter.");
}
