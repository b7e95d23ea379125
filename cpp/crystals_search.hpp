// Who plays Crystals: what each free square changes about the crystals that seats may hope for, and the best replies.
//
// A seat's potential is the root of the sum of (w * M)^2 over all centres, M the squares of its largest crystal there and
// w a weight by how many atoms it lacks. A move is worth what it gains, 0.3 times the potentials after it (the other
// seat's 1.2 times), less 0.9 times the largest crystal that another seat can grow in its next turn. The beam looks at
// replies to the best of these moves and, as such estimates go up and down with whose turn it is, takes both estimates
// of a move together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "crystals.hpp"
#include "crystals_rules.hpp"
#include "search.hpp"

namespace kletka::crystals {

// How far a player sees.
struct Sight {
  int plies = 2;   // 1: a move without its replies; more than 2 only where two seats are left
  int width = 16;  // moves whose replies are looked at
  int reach = 0;   // rings around a centre that a crystal may have to be seen; 0: all
  int miss = 0;    // centres overlooked, of a hundred
  int noise = 0;   // error of a move's worth, up to so many hundredths of a square
};

struct Candidate {
  double worth = 0;
  int gain = 0;
  int atom = -1;
  std::vector<std::vector<int>> crystals;
};

class Player {
 public:
  Player(const Paper& paper, const Sight& sight, std::uint64_t seed, Watch& watch)
      : paper_(paper), sight_(sight), random_(seed), watch_(watch),
        reach_(sight.reach > 0 ? sight.reach : paper.options.full ? kNear : kMostRows),
        seen_(paper.figures.size(), true) {
    if (sight.miss > 0)
      for (std::size_t at = 0, end; at < paper.figures.size(); at = end) {
        end = detail::alike(paper, at);
        const bool sees = static_cast<int>(random_.below(100)) >= sight.miss;
        for (std::size_t figure = at; figure < end; ++figure) seen_[figure] = sees;
      }
    if (paper.options.full)
      find_near();
    else
      cost_ = paper.orbits() / 4;
  }

  // The move to play. There must be one.
  Candidate choose(const Position& position) {
    auto found = candidates(position, true);
    for (Candidate& one : found) one.worth += error();
    sort(found);
    if (sight_.plies > 1 && found.size() > 1) {
      found.resize(std::min(found.size(), static_cast<std::size_t>(std::max(1, sight_.width))));
      for (std::size_t number = 0; number < found.size(); ++number) {
        if (watch_.stopped() && number > 0) {
          found.resize(number);
          break;
        }
        found[number].worth = beyond(position, found[number], sight_.plies) + error();
      }
      sort(found);
    }
    Candidate chosen = std::move(found.front());
    enlarge(position, chosen);
    return chosen;
  }

 private:
  static constexpr int kNear = 3;   // rings that matter where every square must hold an atom
  static constexpr int kClaims = 16;  // crystals looked at in a move
  static constexpr int kThreats = 64;
  static constexpr int kReplies = 4;      // that are looked at in turn
  static constexpr double kBefore = 0.6;  // what a move's worth before the reply counts beside that after it
  static constexpr std::array<std::int64_t, 5> kWeights{10, 25, 50, 80, 100};  // hundredths
  static constexpr int kComplete = 4;

  struct Threat {
    int size, seat;
    std::uint32_t figure;
  };

  // What a seat's crystals are worth together, and the largest that it can grow in its next turn.
  struct Hopes {
    std::array<std::int64_t, kMostSeats> sums{};
    int threat = 0;
  };

  // A tie is broken at random even without an error.
  double error() { return random_.below(1u << 16) * (sight_.noise + 0.001) / (1u << 16) / 100; }

  // Hundredths of squares, squared.
  std::int64_t square(int lacking, int size) const {
    const std::int64_t worth = kWeights[static_cast<std::size_t>(std::max(0, kComplete - std::max(0, lacking)))] * size;
    return worth * worth;
  }

  std::int64_t hope(int atoms, int size) const {
    return size < paper_.options.least ? 0 : square(paper_.options.least - atoms, size);
  }

  double worth(const std::array<std::int64_t, kMostSeats>& sums, int seat, std::uint32_t staying, int threat) const {
    std::int64_t other = 0;
    for (int one = 0; one < paper_.options.seats; ++one)
      if (one != seat && (staying >> one & 1)) other = std::max(other, sums[static_cast<std::size_t>(one)]);
    const double mine = std::sqrt(static_cast<double>(sums[static_cast<std::size_t>(seat)]));
    return 0.003 * (mine - 1.2 * std::sqrt(static_cast<double>(other))) - 0.9 * threat;
  }

  void play(Position& position, const Candidate& move) const {
    if (move.atom >= 0) position.sheet.place(move.atom, position.turn);
    for (const auto& crystal : move.crystals)
      for (const int square : crystal) position.sheet.kill(square);
    position.passed = move.atom < 0 && move.crystals.empty() ? position.passed | 1u << position.turn : 0;
    position.turn = next_seat(position);
  }

  static void sort(std::vector<Candidate>& found) {
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
  }

  // What a move is worth when replies to it are looked at, so many plies in all.
  double beyond(const Position& position, const Candidate& move, int plies) {
    Position after = position;
    play(after, move);
    double worth = move.gain;
    if (!ended(after)) worth += std::popcount(after.staying()) == 2 ? -replied(after, plies - 1) : among(after, position.turn);
    return (worth + kBefore * move.worth) / (1 + kBefore);
  }

  // The worth of the best move of the seat to move.
  double replied(const Position& position, int plies) {
    auto found = candidates(position, true);
    sort(found);
    if (plies <= 1 || watch_.stopped()) return found.front().worth;
    if (found.size() > kReplies) found.resize(kReplies);
    double most = beyond(position, found.front(), plies);
    for (std::size_t number = 1; number < found.size(); ++number)
      most = std::max(most, beyond(position, found[number], plies));
    return most;
  }

  // What a position is worth to a seat among several, once each of the others has made its best move; what these gain
  // is a loss shared by all others.
  double among(Position& position, int seat) {
    const int rivals = std::popcount(position.staying()) - 1;
    double lost = 0;
    while (position.turn != seat) {
      auto found = candidates(position, true);
      sort(found);
      play(position, found.front());
      lost += static_cast<double>(found.front().gain) / rivals;
      if (ended(position)) return -lost;
    }
    auto found = candidates(position, true);
    sort(found);
    return found.front().worth - lost;
  }

  // Every move that may be worth playing, without those that pass while there are others.
  std::vector<Candidate> candidates(const Position& position, bool claims) {
    watch_.visit(cost_ * static_cast<std::uint64_t>(std::popcount(position.staying())));
    return paper_.options.full ? filled_candidates(position, claims) : implied_candidates(position, claims);
  }

  // Where only atoms count: one look at every figure tells what each square changes.
  std::vector<Candidate> implied_candidates(const Position& position, bool claims) {
    const Sheet& sheet = position.sheet;
    const int seat = position.turn;
    const int least = paper_.options.least;
    const auto cells = static_cast<std::size_t>(paper_.cells());
    Hopes now;
    std::vector<std::array<std::int64_t, kMostSeats>> change(cells);
    std::vector<Threat> threats;
    std::vector<Threat> completed(cells, Threat{0, seat, 0});
    Threat standing{0, seat, 0};
    for (std::uint32_t number = 0; number < paper_.figures.size(); ++number) {
      if (!seen_[number]) continue;
      const Figure& figure = paper_.figures[number];
      for (int one = 0; one < paper_.options.seats; ++one) {
        if (!(position.staying() >> one & 1)) continue;
        if (sheet.barred(figure.row, one) & 1) continue;
        const Extent extent = sheet.extent(figure, one, false, reach_);
        if (extent.size < least) continue;
        const std::int64_t hoped = hope(extent.atoms, extent.size);
        now.sums[static_cast<std::size_t>(one)] += hoped;
        if (one != seat) {
          if (extent.atoms >= least - 1) threats.push_back({extent.size, one, number});
          barring(sheet, figure, extent, one, hoped, change);
          continue;
        }
        const std::int64_t more = hope(extent.atoms + 1, extent.size) - hoped;
        const bool completes = extent.atoms == least - 1;
        if (more > 0)
          sheet.each(figure, extent, [&](int square) {
            change[static_cast<std::size_t>(square)][static_cast<std::size_t>(one)] += more;
            Threat& known = completed[static_cast<std::size_t>(square)];
            if (completes && extent.size > known.size) known = {extent.size, seat, number};
          });
        if (extent.atoms >= least && extent.size > standing.size) standing = {extent.size, seat, number};
      }
    }
    const auto left = threatened(sheet, threats);
    std::vector<Candidate> found;
    std::vector<std::pair<Threat, int>> claimed;
    for (std::size_t square = 0; square < cells; ++square) {
      if (sheet.cell(static_cast<int>(square)) != kFree) continue;
      // A crystal is grown as soon as it can be, the largest one.
      if (claims && standing.size >= completed[square].size && standing.size > 0) continue;
      if (claims && completed[square].size > 0) {
        const auto same = [&](const auto& one) { return one.first.figure == completed[square].figure; };
        if (std::none_of(claimed.begin(), claimed.end(), same))
          claimed.push_back({completed[square], static_cast<int>(square)});
        continue;
      }
      auto sums = now.sums;
      for (std::size_t one = 0; one < sums.size(); ++one) sums[one] += change[square][one];
      found.push_back({worth(sums, seat, position.staying(), left[square]), 0, static_cast<int>(square), {}});
    }
    if (!claims) return passing(position, std::move(found));
    grow_standing(position, standing, found);
    std::stable_sort(claimed.begin(), claimed.end(),
                     [](const auto& a, const auto& b) { return a.first.size > b.first.size; });
    if (claimed.size() > kClaims) claimed.resize(kClaims);
    for (const auto& [threat, square] : claimed) {
      // The largest one is looked at in any case.
      if (square != claimed.front().second && watch_.stopped()) break;
      watch_.visit(cost_);
      Candidate one{0, 0, square, {}};
      Position after = position;
      after.sheet.place(square, seat);
      grow(after, threat.figure, one);
      if (paper_.options.any) grow_all(after, one);
      one.worth = one.gain + assess(after);
      found.push_back(std::move(one));
    }
    return passing(position, std::move(found));
  }

  // A crystal that needs no further atom is grown, and the atom placed where it does most then.
  void grow_standing(const Position& position, const Threat& standing, std::vector<Candidate>& found) {
    if (standing.size == 0) return;
    Position after = position;
    Candidate grown;
    grow(after, standing.figure, grown);
    if (paper_.options.any) grow_all(after, grown);
    for (Candidate& one : candidates(after, paper_.options.any)) {
      one.worth += grown.gain;
      one.gain += grown.gain;
      one.crystals.insert(one.crystals.begin(), grown.crystals.begin(), grown.crystals.end());
      found.push_back(std::move(one));
    }
  }

  std::vector<Candidate> passing(const Position& position, std::vector<Candidate> found) const {
    if (found.empty()) found.push_back({assess(position), 0, -1, {}});
    return found;
  }

  void grow(Position& position, std::uint32_t number, Candidate& move) const {
    const Figure& figure = paper_.figures[number];
    const Extent extent = position.sheet.extent(figure, position.turn, paper_.options.full, reach_);
    auto squares = position.sheet.squares(figure, extent);
    for (const int square : squares) position.sheet.kill(square);
    move.gain += extent.size;
    move.crystals.push_back(std::move(squares));
  }

  void grow_all(Position& position, Candidate& move) const {
    for (;;) {
      int most = 0;
      std::uint32_t best = 0;
      for (std::uint32_t number = 0; number < paper_.figures.size(); ++number) {
        if (!seen_[number]) continue;
        const Extent extent =
            position.sheet.extent(paper_.figures[number], position.turn, paper_.options.full, reach_);
        if (extent.atoms < paper_.options.least || extent.size <= most) continue;
        most = extent.size;
        best = number;
      }
      if (most == 0) return;
      grow(position, best, move);
    }
  }

  // What it changes about another seat's hopes to bar each orbit of one of its crystals.
  void barring(const Sheet& sheet, const Figure& figure, const Extent& extent, int seat, std::int64_t hoped,
               std::vector<std::array<std::int64_t, kMostSeats>>& change) const {
    int size = 0, atoms = 0;  // of the rows before
    for (int a = 0; a < extent.rows; ++a) {
      const std::uint32_t row = figure.row + static_cast<std::uint32_t>(a);
      const int length = extent.length[static_cast<std::size_t>(a)];
      const int row_size = paper_.rows[row].squares(length);
      const int row_atoms = sheet.atoms(row, seat, length);
      const std::uint32_t own = sheet.own(row, seat);
      int size_before = size, atoms_before = atoms;  // of the orbits before, too
      for (int i = 0; i < length; ++i) {
        const bool goes_on = i >= figure.needed();
        const int less = goes_on ? size_before + extent.size - size - row_size : size_before;
        const int fewer = goes_on ? atoms_before + extent.atoms - atoms - row_atoms : atoms_before;
        const std::int64_t lost = hope(fewer, less) - hoped;
        if (lost != 0)
          for (const auto square : paper_.squares(row, i)) change[square][static_cast<std::size_t>(seat)] += lost;
        size_before += i == 0 ? paper_.rows[row].first : paper_.rows[row].rest;
        if (own >> i & 1) atoms_before += sheet.atoms(row, i);
      }
      size += row_size;
      atoms += row_atoms;
    }
  }

  // For each square the largest crystal that another seat can still grow in its next turn with an atom there.
  std::vector<int> threatened(const Sheet& sheet, std::vector<Threat>& threats) const {
    std::stable_sort(threats.begin(), threats.end(), [](const Threat& a, const Threat& b) { return a.size > b.size; });
    if (threats.size() > kThreats) threats.resize(kThreats);
    const auto cells = static_cast<std::size_t>(paper_.cells());
    std::vector<int> left(cells, 0);
    std::vector<int> within(cells, -1);
    std::vector<std::size_t> open;
    for (std::size_t square = 0; square < cells; ++square)
      if (sheet.cell(static_cast<int>(square)) == kFree) open.push_back(square);
    for (const Threat& threat : threats) {
      if (open.empty()) break;
      const Figure& figure = paper_.figures[threat.figure];
      const Extent extent = sheet.extent(figure, threat.seat, false, reach_);
      remains(sheet, figure, extent, threat.seat, within);
      std::erase_if(open, [&](std::size_t square) {
        if (left[square] >= threat.size) return true;
        left[square] = std::max(left[square], within[square] < 0 ? threat.size : within[square]);
        return within[square] < 0;
      });
      sheet.each(figure, extent, [&](int square) { within[static_cast<std::size_t>(square)] = -1; });
    }
    return left;
  }

  // For each square of a crystal its size where that square is barred; 0 where it can't be grown in a turn then.
  void remains(const Sheet& sheet, const Figure& figure, const Extent& extent, int seat, std::vector<int>& within) const {
    int size = 0, atoms = 0;
    for (int a = 0; a < extent.rows; ++a) {
      const std::uint32_t row = figure.row + static_cast<std::uint32_t>(a);
      const int length = extent.length[static_cast<std::size_t>(a)];
      const int row_size = paper_.rows[row].squares(length);
      const int row_atoms = sheet.atoms(row, seat, length);
      int size_before = size, atoms_before = atoms;
      for (int i = 0; i < length; ++i) {
        const bool goes_on = i >= figure.needed();
        const int less = goes_on ? size_before + extent.size - size - row_size : size_before;
        const int fewer = goes_on ? atoms_before + extent.atoms - atoms - row_atoms : atoms_before;
        const bool grows = less >= paper_.options.least && fewer >= paper_.options.least - 1;
        for (const auto square : paper_.squares(row, i)) within[square] = grows ? less : 0;
        size_before += i == 0 ? paper_.rows[row].first : paper_.rows[row].rest;
        if (sheet.own(row, seat) >> i & 1) atoms_before += sheet.atoms(row, i);
      }
      size += row_size;
      atoms += row_atoms;
    }
  }

  // What a position is worth to the seat that has just moved.
  double assess(const Position& position) const {
    const Sheet& sheet = position.sheet;
    Hopes hopes;
    for (std::uint32_t number = 0; number < paper_.figures.size(); ++number) {
      if (!seen_[number]) continue;
      const Figure& figure = paper_.figures[number];
      for (int one = 0; one < paper_.options.seats; ++one) {
        if (!(position.staying() >> one & 1) || (sheet.barred(figure.row, one) & 1)) continue;
        const Seen seen = see(sheet, figure, one);
        hopes.sums[static_cast<std::size_t>(one)] += seen.hoped;
        if (one != position.turn && seen.lacking <= 1) hopes.threat = std::max(hopes.threat, seen.size);
      }
    }
    return worth(hopes.sums, position.turn, position.staying(), hopes.threat);
  }

  // The most promising crystal of a figure: its hopes, and of the largest that lacks at most one atom the size and the
  // atoms lacking.
  struct Seen {
    std::int64_t hoped = 0;
    int size = 0, lacking = 2;
  };

  Seen see(const Sheet& sheet, const Figure& figure, int seat) const {
    Seen seen;
    const int least = paper_.options.least;
    if (!paper_.options.full) {
      const Extent extent = sheet.extent(figure, seat, false, reach_);
      seen.hoped = hope(extent.atoms, extent.size);
      if (extent.size >= least && extent.atoms >= least - 1) {
        seen.size = extent.size;
        seen.lacking = std::max(0, least - extent.atoms);
      }
      return seen;
    }
    // Where every square must hold an atom, the fewer squares lack one the better.
    std::uint32_t own = 0;
    for (int a = 0; a < std::min<int>(figure.count, reach_); ++a)
      own |= sheet.own(figure.row + static_cast<std::uint32_t>(a), seat);
    if (own == 0) return seen;
    int before = 0;
    for (int rings = 1; rings <= reach_; ++rings) {
      const Extent extent = sheet.extent(figure, seat, false, rings);
      if (extent.size == before) continue;
      before = extent.size;
      const int lacking = extent.size - extent.atoms;
      if (extent.size < least || extent.atoms == 0) continue;
      if (lacking <= kComplete) seen.hoped = std::max(seen.hoped, square(lacking, extent.size));
      if (lacking <= 1) {
        seen.size = extent.size;
        seen.lacking = lacking;
      }
    }
    return seen;
  }

  void find_near() {
    near_.resize(paper_.places.size());
    for (std::size_t square = 0; square < near_.size(); ++square)
      for (const Place at : paper_.places[square]) {
        const Figure& figure = paper_.figures[paper_.figure_of[at.row()]];
        const int a = static_cast<int>(at.row() - figure.row);
        if (a < reach_ && at.bit() + (figure.fold == Fold::wedge ? a : 0) < reach_ && seen_[paper_.figure_of[at.row()]])
          near_[square].push_back(at);
      }
    for (const auto& places : near_) cost_ += places.size();
  }

  // Where every square of a crystal must hold an atom: only figures close to a square change with it.
  std::vector<Candidate> filled_candidates(const Position& position, bool claims) {
    const int seat = position.turn;
    const int seats = paper_.options.seats;
    Sheet sheet = position.sheet;
    Hopes now;
    std::vector<Seen> seen(paper_.figures.size() * static_cast<std::size_t>(seats));
    Threat standing{0, seat, 0};
    std::vector<std::pair<int, int>> threats;  // size and the square that lacks an atom
    std::vector<Threat> completed(static_cast<std::size_t>(paper_.cells()), Threat{0, seat, 0});
    for (std::uint32_t number = 0; number < paper_.figures.size(); ++number) {
      if (!seen_[number]) continue;
      const Figure& figure = paper_.figures[number];
      for (int one = 0; one < seats; ++one) {
        if (!(position.staying() >> one & 1) || (sheet.barred(figure.row, one) & 1)) continue;
        const Seen here = seen[number * static_cast<std::size_t>(seats) + static_cast<std::size_t>(one)] =
            see(sheet, figure, one);
        now.sums[static_cast<std::size_t>(one)] += here.hoped;
        if (here.lacking > 1) continue;
        if (here.lacking == 0 && one == seat && here.size > standing.size) standing = {here.size, seat, number};
        const int missing = here.lacking == 0 ? -1 : lacks(sheet, figure, one, here.size);
        if (one != seat) threats.push_back({here.size, missing});
        if (one != seat || missing < 0) continue;
        Threat& known = completed[static_cast<std::size_t>(missing)];
        if (here.size > known.size) known = {here.size, seat, number};
      }
    }
    std::stable_sort(threats.begin(), threats.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Candidate> found;
    for (int square = 0; square < paper_.cells(); ++square) {
      if (sheet.cell(square) != kFree) continue;
      const int completes = completed[static_cast<std::size_t>(square)].size;
      if (claims && standing.size >= completes && standing.size > 0) continue;
      if (claims && completes > 0) {
        Candidate one{0, 0, square, {}};
        Position after = position;
        after.sheet.place(square, seat);
        grow(after, completed[static_cast<std::size_t>(square)].figure, one);
        if (paper_.options.any) grow_all(after, one);
        one.worth = one.gain + assess(after);
        found.push_back(std::move(one));
        continue;
      }
      auto sums = now.sums;
      sheet.place(square, seat, near_[static_cast<std::size_t>(square)]);
      for (const Place at : near_[static_cast<std::size_t>(square)]) {
        const std::uint32_t number = paper_.figure_of[at.row()];
        const Figure& figure = paper_.figures[number];
        for (int one = 0; one < seats; ++one) {
          const std::int64_t before =
              seen[number * static_cast<std::size_t>(seats) + static_cast<std::size_t>(one)].hoped;
          if (!(position.staying() >> one & 1) || (one != seat && before == 0)) continue;
          const bool barred = sheet.barred(figure.row, one) & 1;
          sums[static_cast<std::size_t>(one)] += (barred ? 0 : see(sheet, figure, one).hoped) - before;
        }
      }
      sheet.lift(square, near_[static_cast<std::size_t>(square)]);
      int threat = 0;
      for (const auto& [size, missing] : threats)
        if (missing != square) {
          threat = size;
          break;
        }
      found.push_back({worth(sums, seat, position.staying(), threat), 0, square, {}});
    }
    if (claims) grow_standing(position, standing, found);
    return passing(position, std::move(found));
  }

  // The square without an atom of a seat's crystal of that size; -1 where there is none.
  int lacks(const Sheet& sheet, const Figure& figure, int seat, int size) const {
    for (int rings = 1; rings <= reach_; ++rings) {
      const Extent extent = sheet.extent(figure, seat, false, rings);
      if (extent.size != size) continue;
      int missing = -1;
      sheet.each(figure, extent, [&](int square) {
        if (sheet.cell(square) == kFree) missing = square;
      });
      return missing;
    }
    return -1;
  }

  // Where boundaries may interlock, or only a few rings were looked at, there may be a larger crystal to grow.
  void enlarge(const Position& position, Candidate& chosen) const {
    const bool all_seen = !paper_.options.interlock && !paper_.options.full;
    if (all_seen || chosen.crystals.size() > 1 || sight_.reach > 0 || sight_.miss > 0) return;
    Sheet sheet = position.sheet;
    if (chosen.atom >= 0) sheet.place(chosen.atom, position.turn);
    auto larger = best(sheet, position.turn);
    if (!chosen.crystals.empty() && larger.size() <= chosen.crystals.front().size()) return;
    chosen.gain = static_cast<int>(larger.size());
    chosen.crystals.clear();
    if (!larger.empty()) chosen.crystals.push_back(std::move(larger));
  }

  const Paper& paper_;
  Sight sight_;
  SplitMix64 random_;
  Watch& watch_;
  int reach_;
  std::vector<bool> seen_;
  std::vector<std::vector<Place>> near_;
  std::uint64_t cost_ = 0;  // nodes that a look at a position counts for each seat: about as long as any others
};

}  // namespace kletka::crystals
