// Which mines agree with what was answered, drawn evenly or all of them, and what a further question would tell.
//
// All waves asked are followed from both ends as far as they are sure. Then one of them comes to a cell that may be
// empty or have some gem's code, and each of these is a branch with the placements that it leaves. Branches share no
// mine, so that a branch weighs the product of the numbers of placements, at least as many as the mines in it; the
// wave that leaves the least weight in few branches divides. A mine is drawn by descending with odds by weight; what turns out to be
// empty is taken off all weights above, and a descent that it ends begins anew. So every mine that agrees is as likely
// as any other, however little of the tree is known, and when all of it is known the list is complete.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "orapa.hpp"
#include "search.hpp"

namespace kletka::orapa {

// A question that was answered. `at` is a port or a cell. A wave's `exit` is -1 where it was absorbed; `told` is its
// colours or, where bounces are told instead, their number. A cell's `told` is as Rules::ask says it.
struct Asked {
  bool wave = true;
  int at = 0;
  int exit = -1;
  int told = 0;
};

struct Deduced {
  std::vector<Mine> mines;  // all that agree, or some of them drawn evenly, one perhaps more than once
  bool complete = false;
  double weight = 0;  // at least as many mines agree; the number itself where the list is complete
};

class Deducer {
 public:
  Deducer(const Rules& rules, bool bounces, std::vector<Asked> asked, std::vector<Mine> excluded, std::uint64_t seed,
          Watch& watch)
      : rules_(rules), bounces_(bounces), excluded_(std::move(excluded)), random_(seed), watch_(watch) {
    Body body;
    for (int gem = 0; gem < rules_.gems(); ++gem)
      for (int number = 0; number < rules_.count(gem); ++number) rules_.set(body.left, gem, number);
    for (const Asked& question : asked) {
      if (!question.wave) {
        restrict(body, question);
      } else {
        const bool through = question.exit >= 0 && question.exit != question.at;
        const int number = static_cast<int>(waves_.size());
        waves_.push_back({question, through ? number + 1 : number});
        if (through) waves_.push_back({{true, question.exit, question.at, question.told}, number});
      }
    }
    for (const auto& wave : waves_)
      tracks_.push_back({.line = static_cast<std::uint8_t>(wave.asked.at), .way = kTables.way[wave.asked.at]});
    bodies_.push_back(body);
    nodes_.push_back({.weight = weight(body), .body = 0});
    if (root() > 0) settle(0);
  }

  // Draws up to `wanted` mines, and lists all where there seem to be at most `most`.
  Deduced run(std::size_t wanted, std::size_t most) {
    Deduced found;
    std::uint64_t tried = 0, next = kFirstLook;
    bool listed = false;
    while (root() > 0 && !watch_.stopped()) {
      if (found.mines.size() >= wanted || watch_.nodes() >= next) {
        // As many as a share of all tries suggests, one more try counted as met.
        const double share = static_cast<double>(found.mines.size() + 1) / static_cast<double>(tried + 1);
        if (!listed && static_cast<double>(root()) * share <= static_cast<double>(most)) {
          listed = true;
          if (list(most)) return {listed_, true, static_cast<double>(listed_.size())};
        }
        if (found.mines.size() >= wanted) break;
        next = watch_.nodes() * 2;
      }
      ++tried;
      draw(found.mines);
    }
    found.complete = root() == 0;
    found.weight = static_cast<double>(root());
    return found;
  }

 private:
  using Set = Rules::Set;
  static constexpr std::uint64_t kFirstLook = 64;  // nodes after which it is asked whether a list is in sight
  static constexpr std::uint64_t kSmall = 512;  // a branch that weighs no more is listed at once
  static constexpr int kRefusals = 24;  // of one branch, before it is divided
  static constexpr int kFew = 4;  // placements of a gem of which it is asked what they leave to others
  static constexpr int kCode = 8;  // options: gem * kCode + code, with code 0 the gem at any code; or
  static constexpr int kEmpty = 256;  // nothing at the cell; or
  static constexpr int kPlaced = 1024;  // kPlaced * (gem + 1) + a placement

  enum class State : std::uint8_t { open, inner, box, listed };

  // What a branch is about: the placements left to each gem, and which wave comes to which cell where it divides.
  struct Body {
    Set left{};
    int wave = -1;  // -1: no wave, a cell that is known to be white
    int cell = -1;
  };

  // How far a wave has been followed.
  struct Track {
    std::uint8_t line = 0, at = 0, way = 0;
    std::uint8_t colours = 0, bounces = 0;
    bool done = false;
  };

  struct Followed {
    Asked asked;
    int same = 0;  // the number of the same wave from its other end
  };

  struct Node {
    std::uint64_t weight = 0;
    int parent = -1;
    int first = 0;  // child, or place in the list of mines
    int count = 0;
    int option = 0;
    int body = -1;
    State state = State::open;
    std::uint8_t refused = 0;
  };

  std::uint64_t root() const { return nodes_.front().weight; }

  Track* tracks(int body) { return tracks_.data() + static_cast<std::size_t>(body) * waves_.size(); }

  int left(const Body& body, int gem) const {
    int sum = 0;
    for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word) sum += count_bits(body.left[word]);
    return sum;
  }

  int left(const Body& body, int gem, const Set& among) const {
    int sum = 0;
    for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word) sum += count_bits(body.left[word] & among[word]);
    return sum;
  }

  std::uint64_t weight(const Body& body) const {
    std::uint64_t product = 1;
    for (int gem = 0; gem < rules_.gems(); ++gem) product *= static_cast<std::uint64_t>(left(body, gem));
    return product;
  }

  void keep(Body& body, int gem, const Set& among) const {
    for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word) body.left[word] &= among[word];
  }

  void drop(Body& body, int gem, const Set& among) const {
    for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word) body.left[word] &= ~among[word];
  }

  // What a cell's answer says at once. Where either white gem may be meant it divides later.
  void restrict(Body& body, const Asked& cell) {
    const Set& here = rules_.at(cell.at, 0);
    int said = -1, several = 0;
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      if (kCellAnswer[rules_.gem(gem)] != cell.told) {
        drop(body, gem, here);
      } else {
        said = gem;
        ++several;
      }
    }
    if (several == 1) keep(body, said, here);
    if (several == 2) either_.push_back(cell.at);
    if (several == 0 && cell.told != 0) body.left = {};
  }

  // Each gem of which few placements are left takes away from others what goes with none of them.
  bool propagate(Body& body) const {
    unsigned done = 0;
    while (true) {
      bool again = false;
      for (int gem = 0; gem < rules_.gems(); ++gem) {
        const int few = left(body, gem);
        if (few == 0) return false;
        if (few > kFew || done >> gem & 1) continue;
        done |= 1u << gem;
        Set goes{};
        for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word)
          for (auto part = body.left[word]; part != 0; part &= part - 1) {
            const Set& together = rules_.together(gem, (word - rules_.word(gem)) * 64 + std::countr_zero(part));
            for (int to = 0; to < rules_.words(); ++to) goes[to] |= together[to];
          }
        for (int other = 0; other < rules_.gems(); ++other) {
          if (other == gem) continue;
          std::uint64_t lost = 0;
          for (int word = rules_.word(other); word < rules_.word(other + 1); ++word) {
            lost |= body.left[word] & ~goes[word];
            body.left[word] &= goes[word];
          }
          if (lost) {
            again = true;
            done &= ~(1u << other);
          }
        }
      }
      if (!again) return true;
    }
  }

  // Whether a wave may meet this gem with this code next.
  bool meets(const Asked& asked, const Track& track, int cell, int gem, int code) const {
    if (rules_.absorbs(gem)) return asked.exit < 0;
    const bool back = kTables.next[cell][code][track.way].way == kBack;
    if (asked.exit < 0) return !back;
    const bool returns = asked.exit == asked.at;
    if (back && !returns) return false;
    const int bounces = track.bounces + 1;
    const int colours = track.colours | rules_.colours(gem);
    if (bounces_) {
      if (returns) return back ? 2 * bounces - 1 == asked.told : 2 * bounces < asked.told;
      return bounces <= asked.told;
    }
    return back ? colours == asked.told : (colours & ~asked.told) == 0;
  }

  // Take an option where a body divides.
  void take(Body& body, Track* tracks, int option) const {
    if (option >= kPlaced) {
      const int gem = option / kPlaced - 1;
      Set only{};
      rules_.set(only, gem, option % kPlaced);
      keep(body, gem, only);
      return;
    }
    if (option == kEmpty) {
      for (int gem = 0; gem < rules_.gems(); ++gem) drop(body, gem, rules_.at(body.cell, 0));
      ++tracks[body.wave].at;
      return;
    }
    const int gem = option / kCode, code = option % kCode;
    for (int other = 0; other < rules_.gems(); ++other)
      if (other != gem) drop(body, other, rules_.at(body.cell, 0));
    keep(body, gem, rules_.at(body.cell, code));
    if (code == 0) return;
    Track& track = tracks[body.wave];
    const Next next = kTables.next[body.cell][code][track.way];
    if (rules_.absorbs(gem) || next.way == kBack) {
      track.done = true;
      return;
    }
    track.colours |= rules_.colours(gem);
    ++track.bounces;
    track.line = next.line;
    track.at = next.at;
    track.way = next.way;
  }

  // A node got another weight: all above it change by as much.
  void weigh(int node, std::uint64_t weight) {
    const std::uint64_t lost = nodes_[node].weight - weight;
    if (lost == 0) return;
    for (int at = node; at >= 0; at = nodes_[at].parent) nodes_[at].weight -= lost;
  }

  // Make an open node's body, and go on until it divides, ends or turns out empty.
  void expand(int node) {
    const int above = nodes_[nodes_[node].parent].body;
    const int made = static_cast<int>(bodies_.size());
    nodes_[node].body = made;
    bodies_.push_back(bodies_[above]);
    tracks_.resize(tracks_.size() + waves_.size());
    std::copy_n(tracks(above), waves_.size(), tracks(made));
    take(bodies_[made], tracks(made), nodes_[node].option);
    settle(node);
  }

  void settle(int node) {
    Body& body = bodies_[nodes_[node].body];
    if (!follow(body, tracks(nodes_[node].body))) return weigh(node, 0);
    if (!best_.empty()) return spread(node, best_);
    nodes_[node].state = State::box;
    weigh(node, weight(body));
    if (nodes_[node].weight > 0 && nodes_[node].weight <= kSmall) enumerate(node);
  }

  // Follow all waves as far as they are sure; false where one of them can't go on. `best_` gets the options at the
  // place to divide, none where every wave has come to its end.
  bool follow(Body& body, Track* tracks) {
    while (true) {
      if (!propagate(body)) return false;
      bool again = false;
      std::uint64_t least = ~std::uint64_t{0};
      int wave_there = -1, cell_there = -1;
      best_.clear();
      const auto better = [&] {
        std::uint64_t sum = 0;
        for (const auto& [what, weight] : options_) sum += weight;
        sum *= options_.size();  // few branches are worth some weight
        if (sum >= least) return;
        least = sum;
        wave_there = body.wave;
        cell_there = body.cell;
        best_ = options_;
      };
      for (const int cell : either_) {
        options_.clear();
        whites(body, cell);
        if (options_.empty()) return false;
        if (options_.size() == 2) {
          better();
        } else if (!surely(body, options_.front().first / kCode)) {
          take(body, tracks, options_.front().first);
          again = true;
        }
      }
      for (int wave = 0; wave < static_cast<int>(waves_.size()); ++wave) {
        Track& track = tracks[wave];
        const Asked& asked = waves_[wave].asked;
        while (!track.done) {
          if (track.at == length_of(track.line)) {
            const int told = bounces_ ? track.bounces : track.colours;
            if (asked.exit != opposite(track.line) || asked.told != told) return false;
            track.done = true;
            break;
          }
          options_.clear();
          body.wave = wave;
          divide(body, asked, track);
          if (options_.empty()) return false;
          if (options_.size() > 1) {
            better();
            break;
          }
          const auto before = weight(body);
          take(body, tracks, options_.front().first);
          again = again || weight(body) != before;
        }
        if (track.done) tracks[waves_[wave].same].done = true;
      }
      if (again) continue;
      body.wave = wave_there;
      body.cell = cell_there;
      return true;
    }
  }

  // The options at the next cell of the wave, each with its weight.
  void divide(Body& body, const Asked& asked, const Track& track) {
    body.cell = kTables.cell[track.line][track.at];
    const Set& here = rules_.at(body.cell, 0);
    std::array<std::uint64_t, kGems> free;
    std::array<bool, kGems> some;
    int without = 0;
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      const int all = left(body, gem), touching = left(body, gem, here);
      some[gem] = touching > 0;
      free[gem] = static_cast<std::uint64_t>(all - touching);
      without += free[gem] == 0;
    }
    if (without == 0) option(kEmpty, product(free, -1));
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      if (!some[gem] || without > (free[gem] == 0 ? 1 : 0)) continue;
      const std::uint64_t others = product(free, gem);
      for (int code = 1; code < kCodes; ++code)
        if (meets(asked, track, body.cell, gem, code))
          option(gem * kCode + code, others * static_cast<std::uint64_t>(left(body, gem, rules_.at(body.cell, code))));
    }
  }

  // The options at a cell that is known to be white.
  void whites(Body& body, int cell) {
    body.wave = -1;
    body.cell = cell;
    const Set& here = rules_.at(body.cell, 0);
    std::array<std::uint64_t, kGems> free;
    for (int gem = 0; gem < rules_.gems(); ++gem)
      free[gem] = static_cast<std::uint64_t>(left(body, gem) - left(body, gem, here));
    for (int gem = 0; gem < rules_.gems(); ++gem)
      if (kCellAnswer[rules_.gem(gem)] == 4)
        option(gem * kCode, product(free, gem) * static_cast<std::uint64_t>(left(body, gem, here)));
  }

  // Whether all placements left to a gem occupy the cell.
  bool surely(const Body& body, int gem) const { return left(body, gem) == left(body, gem, rules_.at(body.cell, 0)); }

  std::uint64_t product(const std::array<std::uint64_t, kGems>& free, int without) const {
    std::uint64_t all = 1;
    for (int gem = 0; gem < rules_.gems(); ++gem)
      if (gem != without) all *= free[gem];
    return all;
  }

  void option(int what, std::uint64_t weight) {
    if (weight > 0) options_.emplace_back(what, weight);
  }

  // The options become children.
  void spread(int node, const std::vector<std::pair<int, std::uint64_t>>& options) {
    nodes_[node].state = State::inner;
    nodes_[node].first = static_cast<int>(nodes_.size());
    nodes_[node].count = static_cast<int>(options.size());
    std::uint64_t sum = 0;
    for (const auto& [what, weight] : options) {
      nodes_.push_back({.weight = weight, .parent = node, .option = what});
      sum += weight;
    }
    weigh(node, sum);
  }

  // Divide a branch without further questions by the placements of the gem that has fewest.
  void divide_box(int node) {
    const Body& body = bodies_[nodes_[node].body];
    int best = -1, fewest = 0;
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      const int here = left(body, gem);
      if (here > 1 && (best < 0 || here < fewest)) {
        best = gem;
        fewest = here;
      }
    }
    options_.clear();
    const std::uint64_t each = nodes_[node].weight / static_cast<std::uint64_t>(fewest);
    for (int word = rules_.word(best); word < rules_.word(best + 1); ++word)
      for (auto part = body.left[word]; part != 0; part &= part - 1)
        option(kPlaced * (best + 1) + (word - rules_.word(best)) * 64 + std::countr_zero(part), each);
    spread(node, options_);
  }

  bool agrees(const Mine& mine) const {
    return rules_.visible(rules_.fill(mine)) && std::find(excluded_.begin(), excluded_.end(), mine) == excluded_.end();
  }

  // List the mines of a branch without further questions.
  void enumerate(int node) {
    Node& at = nodes_[node];
    at.state = State::listed;
    at.first = static_cast<int>(listed_.size());
    Mine mine{};
    each(bodies_[at.body].left, 0, mine);
    at.count = static_cast<int>(listed_.size()) - at.first;
    weigh(node, static_cast<std::uint64_t>(at.count));
  }

  void each(const Set& left, unsigned placed, Mine& mine) {
    int best = -1, fewest = 0;
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      if (placed >> gem & 1) continue;
      int here = 0;
      for (int word = rules_.word(gem); word < rules_.word(gem + 1); ++word) here += count_bits(left[word]);
      if (here == 0) return;
      if (best < 0 || here < fewest) {
        best = gem;
        fewest = here;
      }
    }
    if (best < 0) {
      if (agrees(mine)) listed_.push_back(mine);
      return;
    }
    for (int word = rules_.word(best); word < rules_.word(best + 1); ++word)
      for (auto part = left[word]; part != 0; part &= part - 1) {
        const int number = (word - rules_.word(best)) * 64 + std::countr_zero(part);
        mine[best] = static_cast<std::uint16_t>(number);
        const Set& goes = rules_.together(best, number);
        Set rest = left;
        for (int gem = 0; gem < rules_.gems(); ++gem)
          if (gem != best)
            for (int at = rules_.word(gem); at < rules_.word(gem + 1); ++at) rest[at] &= goes[at];
        each(rest, placed | 1u << best, mine);
      }
  }

  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(random_.next()) * bound >> 64);
  }

  // One descent; it may end without a mine.
  void draw(std::vector<Mine>& to) {
    watch_.visit();
    std::uint64_t odds = below(root());
    int node = 0;
    while (true) {
      if (nodes_[node].state == State::open) {
        watch_.visit();
        expand(node);
        if (odds >= nodes_[node].weight || watch_.stopped()) return;
      }
      const State state = nodes_[node].state;
      if (state == State::listed) {
        to.push_back(listed_[static_cast<std::size_t>(nodes_[node].first) + odds]);
        return;
      }
      if (state == State::box) {
        if (pick(node, odds, to)) return;
        if (++nodes_[node].refused >= kRefusals) divide_box(node);
        return;
      }
      int child = nodes_[node].first;
      while (odds >= nodes_[child].weight) odds -= nodes_[child++].weight;
      node = child;
    }
  }

  // The mine of this number among the placements of a branch, if they go together.
  bool pick(int node, std::uint64_t number, std::vector<Mine>& to) {
    const Body& body = bodies_[nodes_[node].body];
    Mine mine{};
    for (int gem = 0; gem < rules_.gems(); ++gem) {
      const auto many = static_cast<std::uint64_t>(left(body, gem));
      auto n = static_cast<int>(number % many);
      number /= many;
      for (int word = rules_.word(gem);; ++word) {
        const int here = count_bits(body.left[word]);
        if (n < here) {
          mine[gem] = static_cast<std::uint16_t>((word - rules_.word(gem)) * 64 +
                                                 select_broadword(body.left[word], static_cast<unsigned>(n)));
          break;
        }
        n -= here;
      }
    }
    if (!rules_.disjoint(mine) || !agrees(mine)) return false;
    to.push_back(mine);
    return true;
  }

  // Work out the whole tree; false where that takes too long or there are more mines than `most`.
  bool list(std::size_t most) {
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (nodes_[node].weight == 0) continue;
      if (nodes_[node].state == State::open) {
        if (watch_.visit()) return false;
        expand(static_cast<int>(node));
      }
      if (nodes_[node].state == State::box && nodes_[node].weight > 0) {
        if (watch_.visit(nodes_[node].weight >> 6)) return false;
        enumerate(static_cast<int>(node));
      }
      if (listed_.size() > most) return false;
    }
    return true;
  }

  const Rules& rules_;
  bool bounces_;
  std::vector<Followed> waves_;
  std::vector<int> either_;  // cells known to be of a white gem
  std::vector<Mine> excluded_;
  SplitMix64 random_;
  Watch& watch_;
  std::vector<Node> nodes_;
  std::vector<Body> bodies_;
  std::vector<Track> tracks_;  // of each body, one a wave
  std::vector<Mine> listed_;
  std::vector<std::pair<int, std::uint64_t>> options_, best_;  // with the weight of each
};

// 1024 times the logarithm of a whole number to base 2, cut off: by squaring, the same on every processor.
inline std::uint32_t log2_of(std::uint32_t number) {
  const int whole = std::bit_width(number) - 1;
  double part = static_cast<double>(number) / static_cast<double>(std::uint32_t{1} << whole);
  std::uint32_t result = static_cast<std::uint32_t>(whole);
  for (int bit = 0; bit < 10; ++bit) {
    part *= part;
    result <<= 1;
    if (part >= 2) {
      part /= 2;
      ++result;
    }
  }
  return result;
}

// For each port and then each cell how many 1024ths of a bit its answer is expected to tell, these mines being equally
// likely.
inline std::vector<int> gains(const Rules& rules, bool bounces, const std::vector<Mine>& mines) {
  constexpr int kAnswers = 64;  // colours or bounces, at each exit; absorbed is the last exit
  std::vector<std::uint32_t> count(static_cast<std::size_t>(kPorts) * (kPorts + 1) * kAnswers);
  std::vector<std::uint32_t> at(kCells * 8);
  std::array<Wave, kPorts> waves;
  for (const Mine& mine : mines) {
    const Filled filled = rules.fill(mine);
    rules.trace_all(filled, waves);
    for (int port = 0; port < kPorts; ++port) {
      const Wave& wave = waves[port];
      const int exit = wave.exit < 0 ? kPorts : wave.exit;
      ++count[static_cast<std::size_t>((port * (kPorts + 1) + exit) * kAnswers +
                                       std::min(bounces ? wave.bounces : wave.colours, kAnswers - 1))];
    }
    for (int cell = 0; cell < kCells; ++cell) ++at[static_cast<std::size_t>(cell * 8 + rules.ask(filled, cell))];
  }
  std::vector<int> gains;
  const auto total = static_cast<std::uint32_t>(mines.size());
  const auto gain = [&](const std::uint32_t* from, int answers) {
    std::uint64_t sum = 0;
    for (int answer = 0; answer < answers; ++answer)
      if (from[answer] > 1) sum += std::uint64_t{from[answer]} * log2_of(from[answer]);
    return total == 0 ? 0 : static_cast<int>(log2_of(total)) - static_cast<int>(sum / total);
  };
  for (int port = 0; port < kPorts; ++port)
    gains.push_back(gain(&count[static_cast<std::size_t>(port) * (kPorts + 1) * kAnswers], (kPorts + 1) * kAnswers));
  for (int cell = 0; cell < kCells; ++cell) gains.push_back(gain(&at[static_cast<std::size_t>(cell) * 8], 8));
  return gains;
}

}  // namespace kletka::orapa
