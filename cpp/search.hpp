// What searches share: scores, reports, and the watch that ends them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace kletka {

// Scores from the mover's view. A win n plies away scores kWin - n; what is only estimated stays within kEstimate.
inline constexpr int kWin = 30000;
inline constexpr int kProven = kWin - 1000;
inline constexpr int kEstimate = 20000;
inline constexpr int kMostPlies = 600;

struct Report {
  int move = -1;
  int score = 0;          // alpha-beta: as above; UCT: the mover's expected share of the win in thousandths
  std::vector<int> line;  // expected continuation, the move first
  std::uint64_t nodes = 0;
  bool exact = false;  // the score is proven
};

using Progress = std::function<void(const Report&)>;

// Counts visited positions and ends a search: at a number of them, when `flag` is set (by any thread), or when
// `poll`, which is called rarely, says so.
class Watch {
 public:
  Watch(std::uint64_t most_nodes, const std::atomic<bool>* flag, std::function<bool()> poll)
      : most_(most_nodes), flag_(flag), poll_(std::move(poll)) {}

  std::uint64_t nodes() const { return nodes_; }
  bool stopped() const { return stopped_; }

  // Count a position; true when the search must end.
  bool visit() {
    ++nodes_;
    if (nodes_ >= most_) stopped_ = true;
    if ((nodes_ & 0xFF) == 0 && flag_ && flag_->load(std::memory_order_relaxed)) stopped_ = true;
    if ((nodes_ & 0x7FF) == 0 && poll_ && poll_()) stopped_ = true;
    return stopped_;
  }

  // Count several at once; the flag and `poll` are asked as often as if they came one by one.
  bool visit(std::uint64_t positions) {
    const auto before = nodes_;
    nodes_ += positions;
    if (nodes_ >= most_) stopped_ = true;
    if (before >> 8 != nodes_ >> 8 && flag_ && flag_->load(std::memory_order_relaxed)) stopped_ = true;
    if (before >> 11 != nodes_ >> 11 && poll_ && poll_()) stopped_ = true;
    return stopped_;
  }

 private:
  std::uint64_t nodes_ = 0;
  std::uint64_t most_;
  const std::atomic<bool>* flag_;
  std::function<bool()> poll_;
  bool stopped_ = false;
};

}  // namespace kletka
