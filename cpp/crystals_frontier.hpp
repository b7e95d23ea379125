// The largest outline at a centre where boundaries may interlock.
//
// A joined outline without holes contains its centre. Out of the free orbits, those joined to the innermost one are the
// answer where they leave no hole; otherwise something must be cut open, and what that costs least is found by a dynamic
// programme over the folded paper, column by column. A state says of each orbit at the frontier to which part of the
// outline or of the rest it belongs; parts of the outline must end up joined, and parts of the rest at the outside.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "crystals.hpp"

namespace kletka::crystals {

// The folded paper at a centre with a margin around it, all of which lies outside: a mask of columns for each row.
class Folded {
 public:
  static constexpr int kMost = kMostRows + 1;
  using Rows = std::array<std::uint32_t, kMost>;

  Folded(const Paper& paper, const Figure& figure)
      : paper_(paper), figure_(figure), wedge_(figure.fold == Fold::wedge), columns_(paper.rows[figure.row].length + 1),
        rows_(figure.count + 1) {
    for (int a = 0; a < rows_; ++a) {
      shape_[a] = ((std::uint32_t{1} << columns_) - 1) & ~((std::uint32_t{1} << (wedge_ ? a : 0)) - 1);
      rim_[a] = wedge_ || a + 1 < rows_ ? std::uint32_t{1} << (columns_ - 1) : shape_[a];
    }
  }

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  bool has(int column, int row) const {
    return column >= 0 && row >= 0 && row < rows_ && (shape_[row] >> column & 1);
  }
  int orbit(int column, int row) const { return column - (wedge_ ? row : 0); }
  std::uint32_t row(int row) const { return figure_.row + static_cast<std::uint32_t>(row); }

  int squares(int column, int row) const {
    const Row& of = paper_.rows[figure_.row + static_cast<std::uint32_t>(row)];
    return orbit(column, row) == 0 ? of.first : of.rest;
  }

  // What a seat can use.
  Rows open(const Sheet& sheet, int seat, bool filled) const {
    Rows open{};
    for (int a = 0; a < figure_.count; ++a) {
      const std::uint32_t bad = filled ? sheet.unfilled(row(a), seat) : sheet.barred(row(a), seat);
      open[a] = ~bad << (wedge_ ? a : 0) & shape_[a];
    }
    return open;
  }

  // Those joined to the innermost orbit.
  Rows joined(const Rows& open) const {
    Rows found{};
    found[0] = open[0] & 1;
    spread(found, open);
    return found;
  }

  // Whether these leave a hole.
  bool holed(const Rows& taken) const {
    Rows rest{}, found{};
    for (int a = 0; a < rows_; ++a) {
      rest[a] = shape_[a] & ~taken[a];
      found[a] = rim_[a];
    }
    spread(found, rest);
    return found != rest;
  }

  std::vector<int> squares(const Rows& taken) const {
    std::vector<int> found;
    for (int a = 0; a < figure_.count; ++a)
      for (std::uint32_t left = taken[a]; left != 0; left &= left - 1) {
        const auto of = paper_.squares(row(a), orbit(std::countr_zero(left), a));
        found.insert(found.end(), of.begin(), of.end());
      }
    return found;
  }

  std::pair<int, int> size(const Rows& taken, const Sheet& sheet) const {
    int size = 0, atoms = 0;
    for (int a = 0; a < figure_.count; ++a)
      for (std::uint32_t left = taken[a]; left != 0; left &= left - 1) {
        const int column = std::countr_zero(left);
        size += squares(column, a);
        atoms += sheet.atoms(row(a), orbit(column, a));
      }
    return {size, atoms};
  }

 private:
  void spread(Rows& found, const Rows& within) const {
    for (bool more = true; more;) {
      more = false;
      for (int a = 0; a < rows_; ++a) {
        std::uint32_t next = found[a] | found[a] << 1 | found[a] >> 1;
        if (a > 0) next |= found[a - 1];
        if (a + 1 < rows_) next |= found[a + 1];
        next &= within[a];
        if ((next | found[a]) == found[a]) continue;
        found[a] |= next;
        more = true;
      }
    }
  }

  const Paper& paper_;
  const Figure& figure_;
  bool wedge_;
  int columns_, rows_;
  Rows shape_{}, rim_{};
};

// The dynamic programme. With `wanted` atoms or more where any outline has so many, else the largest of all.
class Frontier {
 public:
  Frontier(const Folded& folded, const Sheet& sheet, const Folded::Rows& open, int wanted, std::uint64_t budget)
      : folded_(folded), sheet_(sheet), open_(open), wanted_(wanted), budget_(budget) {}

  struct Answer {
    Folded::Rows taken{};
    bool found = false;
  };

  // Not found: the budget of states did not do.
  Answer run() {
    begin_layer();
    keep(Labels{}, 0, 0, kNone, false);
    std::swap(present_, following_);
    std::uint64_t spent = 0;
    for (int b = 0; b < folded_.columns(); ++b)
      for (int a = 0; a < folded_.rows(); ++a) {
        if (!folded_.has(b, a)) continue;
        spent += present_.size();
        if (spent > budget_) return {};
        begin_layer();
        for (std::uint32_t number = 0; number < present_.size(); ++number) step(number, b, a);
        cells_.push_back({b, a});
        std::swap(present_, following_);
      }
    return answer();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint8_t kRest = 16;  // from this label on: parts of the rest
  using Labels = std::array<std::uint8_t, Folded::kMost>;  // 0: no orbit there yet

  struct State {
    Labels labels;
    std::uint8_t atoms;
    std::int16_t size;
  };

  struct Came {
    std::uint32_t from;
    bool taken;
  };

  struct End {
    int size = -1;
    std::uint32_t layer = 0, number = 0;
  };

  void step(std::uint32_t number, int b, int a) {
    const State state = present_[number];
    const std::uint8_t left = folded_.has(b - 1, a) ? state.labels[a] : 0;
    const std::uint8_t below = folded_.has(b, a - 1) ? state.labels[a - 1] : 0;
    const bool first = a == 0 && b == 0;
    if (open_[a] >> b & 1) {
      // A part of the rest that is seen no more would be a hole.
      Labels labels = state.labels;
      if (left < kRest || elsewhere(labels, a, left)) {
        join(labels, a, left, below, false);
        const int atoms = std::min(wanted_, state.atoms + sheet_.atoms(folded_.row(a), folded_.orbit(b, a)));
        keep(labels, atoms, state.size + folded_.squares(b, a), number, true);
      }
    }
    if (first) return;
    Labels labels = state.labels;
    if (left != 0 && left < kRest && !elsewhere(labels, a, left)) {
      // The outline ends here, if this was its only part. All that follows belongs to the rest, and so reaches the outside.
      for (int r = 0; r < folded_.rows(); ++r)
        if (r != a && labels[r] != 0 && labels[r] < kRest) return;
      End& end = ends_[state.atoms >= wanted_];
      if (state.size > end.size) end = {state.size, static_cast<std::uint32_t>(layers_.size()) - 2, number};
      return;
    }
    join(labels, a, left, below, true);
    keep(labels, state.atoms, state.size, number, false);
  }

  bool elsewhere(const Labels& labels, int a, std::uint8_t label) const {
    for (int r = 0; r < folded_.rows(); ++r)
      if (r != a && labels[r] == label) return true;
    return false;
  }

  // The new orbit in row `a`, joined to its neighbours of the same kind; parts are named by the order in which they come.
  void join(Labels& labels, int a, std::uint8_t left, std::uint8_t below, bool rest) const {
    const auto alike = [&](std::uint8_t label) { return label != 0 && (label >= kRest) == rest; };
    const std::uint8_t fresh = rest ? 31 : 15;
    labels[a] = fresh;
    for (const std::uint8_t other : {left, below})
      if (alike(other))
        for (int r = 0; r < folded_.rows(); ++r)
          if (labels[r] == other) labels[r] = fresh;
    std::array<std::uint8_t, 32> names{};
    std::uint8_t parts = 0, rests = kRest - 1;
    for (int r = 0; r < folded_.rows(); ++r) {
      if (labels[r] == 0) continue;
      auto& name = names[labels[r]];
      if (name == 0) name = labels[r] < kRest ? ++parts : ++rests;
      labels[r] = name;
    }
  }

  void begin_layer() {
    layers_.push_back({});
    following_.clear();
    std::fill(places_.begin(), places_.end(), kNone);
  }

  void keep(const Labels& labels, int atoms, int size, std::uint32_t from, bool taken) {
    if (2 * (following_.size() + 1) > places_.size()) grow();
    std::size_t place = hash(labels, atoms);
    for (;; place = (place + 1) & (places_.size() - 1)) {
      if (places_[place] == kNone) break;
      State& known = following_[places_[place]];
      if (known.atoms != atoms || known.labels != labels) continue;
      if (known.size < size) {
        known.size = static_cast<std::int16_t>(size);
        layers_.back()[places_[place]] = {from, taken};
      }
      return;
    }
    places_[place] = static_cast<std::uint32_t>(following_.size());
    following_.push_back({labels, static_cast<std::uint8_t>(atoms), static_cast<std::int16_t>(size)});
    layers_.back().push_back({from, taken});
  }

  void grow() {
    places_.assign(std::max<std::size_t>(64, places_.size() * 2), kNone);
    for (std::uint32_t number = 0; number < following_.size(); ++number) {
      std::size_t place = hash(following_[number].labels, following_[number].atoms);
      while (places_[place] != kNone) place = (place + 1) & (places_.size() - 1);
      places_[place] = number;
    }
  }

  std::size_t hash(const Labels& labels, int atoms) const {
    auto sum = static_cast<std::uint64_t>(atoms);
    for (const auto label : labels) sum = (sum ^ label) * 0x9E3779B97F4A7C15u;
    return (sum ^ sum >> 32) & (places_.size() - 1);
  }

  Answer answer() const {
    const End& end = ends_[1].size >= 0 ? ends_[1] : ends_[0];
    Answer answer;
    answer.found = true;
    std::uint32_t number = end.number;
    for (std::uint32_t layer = end.layer; layer >= 1; --layer) {
      const Came& came = layers_[layer][number];
      const auto [b, a] = cells_[layer - 1];
      if (came.taken) answer.taken[a] |= std::uint32_t{1} << b;
      number = came.from;
    }
    return answer;
  }

  const Folded& folded_;
  const Sheet& sheet_;
  const Folded::Rows& open_;
  int wanted_;
  std::uint64_t budget_;
  std::vector<State> present_, following_;
  std::vector<std::uint32_t> places_;
  std::vector<std::vector<Came>> layers_;  // of the start, then after each cell
  std::vector<std::pair<int, int>> cells_;
  std::array<End, 2> ends_;
};

}  // namespace kletka::crystals
