// kletka._kernels.Orapa.

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "orapa.hpp"
#include "orapa_count.hpp"
#include "orapa_deduce.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace kletka;
using namespace kletka::orapa;

using Numbers = std::vector<int>;

Whites whites_of(std::string_view option) {
  if (option == "not_centred") return Whites::not_centred;
  if (option == "free") return Whites::free;
  if (option == "no_common_axis") return Whites::no_common_axis;
  throw std::invalid_argument("whites");
}

class MineKernel {
  Mine mine(const Numbers& numbers) const {
    if (static_cast<int>(numbers.size()) != rules_.gems()) throw std::invalid_argument("a placement for each gem");
    Mine mine{};
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      if (numbers[gem] < 0 || numbers[gem] >= rules_.count(gem)) throw std::invalid_argument("no such placement");
      mine[gem] = static_cast<std::uint16_t>(numbers[gem]);
    }
    return mine;
  }

  Mine disjoint(const Numbers& numbers) const {
    const Mine made = mine(numbers);
    if (!rules_.disjoint(made)) throw std::invalid_argument("gems touch");
    return made;
  }

  Numbers numbers(const Mine& mine) const { return Numbers(mine.begin(), mine.begin() + rules_.gems()); }

  std::vector<Numbers> all(const std::vector<Mine>& mines) const {
    std::vector<Numbers> told;
    told.reserve(mines.size());
    for (const Mine& mine : mines) told.push_back(numbers(mine));
    return told;
  }

  static int checked(int value, int least, int bound) {
    if (value < least || value >= bound) throw std::invalid_argument("no such port, cell or answer");
    return value;
  }

  Rules rules_;
  bool bounces_;

 public:
  MineKernel(std::string_view gems, std::string_view whites, bool bounces)
      : rules_(gems, whites_of(whites)), bounces_(bounces) {}

  Numbers counts() const {
    Numbers counts;
    for (int gem = 0; gem < rules_.gems(); ++gem) counts.push_back(rules_.count(gem));
    return counts;
  }

  bool legal(const Numbers& numbers) const { return rules_.legal(mine(numbers)); }

  std::vector<std::tuple<int, int, int>> waves(const Numbers& numbers) const {
    std::array<Wave, kPorts> waves;
    rules_.trace_all(rules_.fill(disjoint(numbers)), waves);
    std::vector<std::tuple<int, int, int>> told;
    for (const Wave& wave : waves) told.emplace_back(wave.exit, wave.colours, wave.bounces);
    return told;
  }

  Numbers cells(const Numbers& numbers) const {
    const Filled filled = rules_.fill(disjoint(numbers));
    Numbers told;
    for (int cell = 0; cell < kCells; ++cell) told.push_back(rules_.ask(filled, cell));
    return told;
  }

  std::vector<Numbers> random(std::uint64_t seed, int count) const {
    nb::gil_scoped_release free;
    SplitMix64 random(seed);
    std::vector<Numbers> told;
    for (int number = 0; number < count; ++number) told.push_back(numbers(rules_.random(random)));
    return told;
  }

  std::uint64_t checksum(const std::vector<Numbers>& mines, int times) const {
    std::vector<Mine> read;
    for (const Numbers& numbers : mines) read.push_back(disjoint(numbers));
    nb::gil_scoped_release free;
    std::uint64_t sum = 0;
    std::array<Wave, kPorts> waves;
    for (int time = 0; time < times; ++time)
      for (const Mine& mine : read) {
        rules_.trace_all(rules_.fill(mine), waves);
        for (const Wave& wave : waves)
          sum = (sum ^ static_cast<std::uint64_t>((wave.exit + 1) | wave.colours << 6 | wave.bounces << 10)) *
                0x100000001B3u;
      }
    return sum;
  }

  std::pair<std::uint64_t, std::vector<std::vector<std::uint64_t>>> count() const {
    nb::gil_scoped_release free;
    const Counter counter(rules_);
    return {counter.total(), {counter.with().begin(), counter.with().end()}};
  }

  nb::tuple deduce(const std::vector<std::tuple<int, int, int>>& waves, const std::vector<std::pair<int, int>>& cells,
                   const std::vector<Numbers>& excluded, std::uint64_t nodes, std::uint64_t seed, int wanted, int most,
                   const Stop* stop, nb::object poll) const {
    std::vector<Asked> asked;
    for (const auto& [at, told] : cells) asked.push_back({false, checked(at, 0, kCells), -1, checked(told, 0, 7)});
    for (const auto& [at, exit, told] : waves)
      asked.push_back({true, checked(at, 0, kPorts), checked(exit, -1, kPorts), checked(told, 0, 256)});
    std::vector<Mine> without;
    for (const Numbers& numbers : excluded) without.push_back(mine(numbers));
    const auto ask = asking(poll);
    Deduced found;
    Numbers told;
    std::uint64_t visited = 0;
    {
      nb::gil_scoped_release free;
      Watch watch(nodes, stop ? &stop->flag : nullptr, ask);
      found = Deducer(rules_, bounces_, std::move(asked), std::move(without), seed, watch)
                  .run(static_cast<std::size_t>(std::max(wanted, 1)), static_cast<std::size_t>(std::max(most, 1)));
      told = gains(rules_, bounces_, found.mines);
      visited = watch.nodes();
    }
    return nb::make_tuple(all(found.mines), found.complete, visited, told);
  }
};

}  // namespace

void kletka::bind_orapa(nb::module_& m) {
  nb::class_<MineKernel>(m, "Orapa",
                     "Orapa Mine with its options fixed. A mine is a list with the number of each gem's placement.")
      .def(nb::init<std::string_view, std::string_view, bool>(), "gems"_a, "whites"_a = "not_centred",
           "bounces"_a = false)
      .def_prop_ro("counts", &MineKernel::counts, "Placements of each gem.")
      .def("legal", &MineKernel::legal, "mine"_a)
      .def("waves", &MineKernel::waves, "mine"_a,
           "For each port exit (-1: absorbed), colours (1 red, 2 yellow, 4 blue, 8 white) and bounces.")
      .def("cells", &MineKernel::cells, "mine"_a,
           "For each cell 0 nothing, 1 red, 2 yellow, 3 blue, 4 white, 5 transparent, 6 absorbed.")
      .def("random", &MineKernel::random, "seed"_a, "count"_a, "Legal mines, each as likely as any other.")
      .def("checksum", &MineKernel::checksum, "mines"_a, "times"_a = 1, "Of all waves of these mines, so many times over.")
      .def("count", &MineKernel::count, "The number of legal mines, and for each placement of each of five gems how many hold it.")
      .def("deduce", &MineKernel::deduce, "waves"_a, "cells"_a, "excluded"_a, "nodes"_a, "seed"_a, "wanted"_a, "most"_a,
           "stop"_a = nb::none(), "poll"_a = nb::none(),
           "Mines that agree with waves (port, exit, colours or bounces) and cells (cell, answer): all of them, or\n"
           "some drawn evenly; whether all; nodes; and what each port and cell would tell, in 1024ths of a bit.");
}
