// How many legal mines of the five gems there are, and how many hold each placement.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "orapa.hpp"

namespace kletka::orapa {

// Counts mines whose gems go together by the last two gems' bitsets, then takes away, one by one, those in which a gem
// can't be seen. No mine of the five gems hides two, which the tests confirm by sampling.
class Counter {
 public:
  explicit Counter(const Rules& rules) : rules_(rules) {
    if (rules.gems() != 5) throw std::invalid_argument("five gems");
    for (int gem = 0; gem < 5; ++gem) with_[gem].resize(static_cast<std::size_t>(rules.count(gem)));
    all_together();
    for (int gem = 0; gem < 5; ++gem)
      for (int number = 0; number < rules.count(gem); ++number) hidden(gem, number);
  }

  std::uint64_t total() const { return total_; }
  // Of each gem, for each of its placements, the mines that hold it.
  const std::array<std::vector<std::uint64_t>, 5>& with() const { return with_; }

 private:
  using Set = Rules::Set;

  template <class Visit>
  void each(const Set& set, int gem, Visit visit) const {
    for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word)
      for (auto part = set[word]; part != 0; part &= part - 1)
        visit((word - rules_.word(gem)) * 64 + std::countr_zero(part));
  }

  std::uint64_t common(const Set& one, const Set& two, int gem) const {
    std::uint64_t sum = 0;
    for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word)
      sum += static_cast<std::uint64_t>(count_bits(one[word] & two[word]));
    return sum;
  }

  Set both(const Set& one, const Set& two) const {
    Set set;
    for (int word = 0; word < rules_.words(); ++word) set[word] = one[word] & two[word];
    return set;
  }

  void all_together() {
    for (int b = 0; b < rules_.count(2); ++b)
      each(rules_.together(2, b), 3, [&](int w) {
        const Set two = both(rules_.together(2, b), rules_.together(3, w));
        each(two, 4, [&](int s) {
          const Set three = both(two, rules_.together(4, s));
          std::uint64_t mines = 0;
          each(three, 0, [&](int r) {
            const auto here = common(three, rules_.together(0, r), 1);
            with_[0][r] += here;
            mines += here;
          });
          each(three, 1, [&](int y) { with_[1][y] += common(three, rules_.together(1, y), 0); });
          with_[2][b] += mines;
          with_[3][w] += mines;
          with_[4][s] += mines;
          total_ += mines;
        });
      });
  }

  struct Ray {
    Set blocked{};  // the placements that stand between the port and the gem
  };

  void hidden(int gem, int number) {
    const auto& placement = rules_.placement(gem, number);
    const Set& others = rules_.together(gem, number);
    std::vector<Ray> rays;
    for (int line = 0; line < kPorts; ++line) {
      const unsigned mine = placement.lines.line[line];
      if (mine == 0) continue;
      const unsigned before = (mine & -mine) - 1;
      if (before == 0) return;
      Ray ray;
      for (int other = 0; other < 5; ++other)
        each(others, other, [&](int at) {
          if (rules_.placement(other, at).lines.line[line] & before) rules_.set(ray.blocked, other, at);
        });
      rays.push_back(ray);
    }
    Mine chosen{};
    chosen[gem] = static_cast<std::uint16_t>(number);
    block(rays, 0, others, 1u << gem, chosen);
  }

  // Every way to block the rays from `ray` on; `placed` says which gems have their place.
  void block(const std::vector<Ray>& rays, std::size_t ray, const Set& left, unsigned placed, Mine& chosen) {
    const auto stands = [&](const Ray& seen) {
      for (int gem = 0; gem < 5; ++gem)
        if (placed >> gem & 1 && rules_.has(seen.blocked, gem, chosen[gem])) return true;
      return false;
    };
    while (ray < rays.size() && stands(rays[ray])) ++ray;
    if (ray == rays.size()) {
      take_away(left, placed, chosen);
      return;
    }
    Set rest = left;
    for (int gem = 0; gem < 5; ++gem) {
      if (placed >> gem & 1) continue;
      const Set blockers = both(rest, rays[ray].blocked);
      each(blockers, gem, [&](int number) {
        chosen[gem] = static_cast<std::uint16_t>(number);
        block(rays, ray + 1, both(rest, rules_.together(gem, number)), placed | 1u << gem, chosen);
      });
      // From here on this gem doesn't block this ray.
      for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word) rest[word] &= ~rays[ray].blocked[word];
    }
  }

  void take_away(const Set& left, unsigned placed, Mine& chosen) {
    for (int gem = 0; gem < 5; ++gem) {
      if (placed >> gem & 1) continue;
      each(left, gem, [&](int number) {
        chosen[gem] = static_cast<std::uint16_t>(number);
        take_away(both(left, rules_.together(gem, number)), placed | 1u << gem, chosen);
      });
      return;
    }
    --total_;
    for (int gem = 0; gem < 5; ++gem) --with_[gem][chosen[gem]];
  }

  const Rules& rules_;
  std::uint64_t total_ = 0;
  std::array<std::vector<std::uint64_t>, 5> with_;
};

}  // namespace kletka::orapa
