// What the files that bind kernels to Python share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

#include "search.hpp"

namespace kletka {

struct Stop {
  std::atomic<bool> flag{false};
};

// Move, score, line, nodes, exact.
using Answer = std::tuple<int, int, std::vector<int>, std::uint64_t, bool>;

inline Answer answer(const Report& report) { return {report.move, report.score, report.line, report.nodes, report.exact}; }

inline std::function<bool()> asking(const nanobind::object& poll) {
  if (poll.is_none()) return {};
  return [&poll] {
    nanobind::gil_scoped_acquire held;
    return nanobind::cast<bool>(poll());
  };
}

inline Progress telling(const nanobind::object& progress) {
  if (progress.is_none()) return {};
  return [&progress](const Report& report) {
    nanobind::gil_scoped_acquire held;
    progress(answer(report));
  };
}

void bind_dots(nanobind::module_& m);

}  // namespace kletka
