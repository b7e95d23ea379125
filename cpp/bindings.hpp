// What the files that bind kernels to Python share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "search.hpp"
#include "uct.hpp"

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

// What UCT has learnt of one game, kept by the caller from search to search. One search at a time may hold it.
class KeptTree {
 public:
  // Searches a position of the game whose tables are `tables`; what is known of other games is forgotten.
  template <class Board>
  Report search(const void* tables, const Board& board, double exploration, std::uint64_t seed, Watch& watch,
                const Progress& tell) {
    const Hold hold(in_use_);
    auto* held = dynamic_cast<Held<Board>*>(held_.get());
    if (!held || tables_ != tables) {
      auto made = std::make_unique<Held<Board>>();
      held = made.get();
      held_ = std::move(made);
      tables_ = tables;
    }
    held->tree.begin(board);
    return Uct<Board>(held->tree, exploration, seed, watch).run(tell);
  }

  std::uint32_t visits() const { return held_ ? held_->visits() : 0; }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual std::uint32_t visits() const = 0;
  };

  template <class Board>
  struct Held : Any {
    Tree<Board> tree;
    std::uint32_t visits() const override { return tree.visits(); }
  };

  struct Hold {
    explicit Hold(std::atomic<bool>& flag) : flag(flag) {
      if (flag.exchange(true)) throw std::invalid_argument("the tree is in use");
    }
    ~Hold() { flag = false; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    std::atomic<bool>& flag;
  };

  std::unique_ptr<Any> held_;
  const void* tables_ = nullptr;
  std::atomic<bool> in_use_{false};
};

void bind_crystals(nanobind::module_& m);
void bind_dots(nanobind::module_& m);
void bind_orapa(nanobind::module_& m);

}  // namespace kletka
