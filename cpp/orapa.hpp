// Orapa Mine: placements of gems, which of them go together, waves through a mine, random mines.
//
// The rules are those of src/kletka/games/orapa and are checked against them by waves and checksums. A mine is the
// number of each gem's placement, gems in the order RYBWSDK; placements are numbered by form, row and column of the
// corner. Ports are numbered left, bottom, top, right; cells row by row.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bits.hpp"

namespace kletka::orapa {

inline constexpr int kRows = 8;
inline constexpr int kColumns = 10;
inline constexpr int kCells = kRows * kColumns;
inline constexpr int kPorts = 2 * (kRows + kColumns);
inline constexpr int kGems = 7;
inline constexpr int kCodes = 6;  // of a cell: empty, solid at the bottom right, bottom left, top right, top left, full
inline constexpr int kMostWords = 23;  // of a set of placements of all gems, each gem beginning a word

#if defined(__x86_64__)
inline const bool kHasPopcnt = __builtin_cpu_supports("popcnt");

// Written as assembly for the same reason as pdep in bits.hpp.
inline int count_bits(std::uint64_t x) {
  if (!kHasPopcnt) return std::popcount(x);
  std::uint64_t bits;
  asm("popcnt %1, %0" : "=r"(bits) : "rm"(x) : "cc");
  return static_cast<int>(bits);
}
#else
inline int count_bits(std::uint64_t x) { return std::popcount(x); }
#endif

enum Way : std::uint8_t { kRight, kUp, kDown, kLeft, kBack };

enum class Whites : std::uint8_t { not_centred, free, no_common_axis };

// What a wave says. `exit` is its own port after a head-on hit, -1 where it was absorbed; then nothing else is told.
struct Wave {
  int exit = -1;
  int colours = 0;  // 1 red, 2 yellow, 4 blue, 8 white
  int bounces = 0;
  bool operator==(const Wave&) const = default;
};

// What a question about a cell says: 0 nothing, 1 red, 2 yellow, 3 blue, 4 white, 5 transparent, 6 absorbed.
inline constexpr std::array<std::uint8_t, kGems> kCellAnswer{1, 2, 3, 4, 4, 5, 6};

using Mine = std::array<std::uint16_t, kGems>;  // unused gems are 0

// The forms of each gem as rows of codes, lines divided by a bar.
inline constexpr std::array<std::array<std::string_view, 4>, kGems> kForms{{
    {"154", "2|5|3", "352", "1|5|4"},
    {"20|52", "54|40", "35|03", "01|15"},
    {"0120|1552", "20|52|54|40", "3554|0340", "01|15|35|03"},
    {"0120|1552", "20|52|54|40", "3554|0340", "01|15|35|03"},
    {"12|34", "", "", ""},
    {"12", "2|4", "34", "1|3"},
    {"55", "5|5", "", ""},
}};
inline constexpr std::string_view kLetters = "RYBWSDK";

// The port at which a line begins, and at which a wave along it leaves: a line is named by its port.
inline constexpr int port_of(int way, int cell) {
  const int row = cell / kColumns, column = cell % kColumns;
  return way == kRight ? row : way == kUp ? 8 + column : way == kDown ? 18 + column : 28 + row;
}
inline constexpr int opposite(int line) { return line < 8 ? line + 28 : line < 18 ? line + 10 : line < 28 ? line - 10 : line - 28; }
inline constexpr int way_of(int line) { return line < 8 ? kRight : line < 18 ? kUp : line < 28 ? kDown : kLeft; }
inline constexpr int length_of(int line) { return line < 8 || line >= 28 ? kColumns : kRows; }

// How far along its line a cell lies.
inline constexpr int along(int way, int cell) {
  const int row = cell / kColumns, column = cell % kColumns;
  return way == kRight ? column : way == kLeft ? kColumns - 1 - column : way == kDown ? row : kRows - 1 - row;
}

inline constexpr int cell_on(int line, int at) {
  if (line < 8) return line * kColumns + at;
  if (line < 18) return (kRows - 1 - at) * kColumns + line - 8;
  if (line < 28) return at * kColumns + line - 18;
  return (line - 28) * kColumns + kColumns - 1 - at;
}

inline constexpr int turned(int code, int way) {
  constexpr std::uint8_t table[kCodes][4] = {
      {kRight, kUp, kDown, kLeft}, {kUp, kBack, kLeft, kBack}, {kBack, kBack, kRight, kUp},
      {kDown, kLeft, kBack, kBack}, {kBack, kRight, kBack, kDown}, {kBack, kBack, kBack, kBack}};
  return table[code][way];
}

// Where a wave goes on after a cell: the line, the first place of it that it comes to, and the way.
struct Next {
  std::uint8_t line = 0;
  std::uint8_t at = 0;
  std::uint8_t way = 0;
};

// What doesn't depend on the game's options.
struct Tables {
  std::uint8_t cell[kPorts][16] = {};
  Next next[kCells][8][4] = {};
  std::uint8_t way[kPorts] = {};

  constexpr Tables() {
    for (int line = 0; line < kPorts; ++line) {
      way[line] = static_cast<std::uint8_t>(way_of(line));
      for (int at = 0; at < length_of(line); ++at) cell[line][at] = static_cast<std::uint8_t>(cell_on(line, at));
    }
    for (int at = 0; at < kCells; ++at)
      for (int code = 0; code < kCodes; ++code)
        for (int came = 0; came < 4; ++came) {
          const int goes = turned(code, came);
          Next& to = next[at][code][came];
          to.way = static_cast<std::uint8_t>(goes);
          if (goes == kBack) continue;
          to.line = static_cast<std::uint8_t>(port_of(goes, at));
          to.at = static_cast<std::uint8_t>(along(goes, at) + 1);
        }
  }
};
inline constexpr Tables kTables{};

// Occupied cells of each line, counted from its port: lines of 16 bits side by side.
struct Lines {
  std::array<std::uint16_t, kPorts> line{};

  void add(const Lines& other) {
    std::uint64_t mine[kPorts / 4], others[kPorts / 4];
    std::memcpy(mine, line.data(), sizeof mine);
    std::memcpy(others, other.line.data(), sizeof others);
    for (int i = 0; i < kPorts / 4; ++i) mine[i] |= others[i];
    std::memcpy(line.data(), mine, sizeof mine);
  }
};

struct Placement {
  Lines lines;
  std::array<std::uint64_t, 5> body{};  // its cells, then the sides of cells at which it is solid
  int form = 0, row = 0, column = 0;
  int count = 0;  // cells
  std::array<std::uint8_t, 6> cells{};
  std::array<std::uint8_t, 6> codes{};

  void solid(int bit) { body[bit >> 6] |= std::uint64_t{1} << (bit & 63); }
};

inline std::vector<Placement> placements_of(int gem) {
  std::vector<Placement> found;
  for (int form = 0; form < 4; ++form) {
    const std::string_view text = kForms[gem][form];
    if (text.empty()) continue;
    const auto width = static_cast<int>(std::min(text.find('|'), text.size()));
    const int height = (static_cast<int>(text.size()) + 1) / (width + 1);
    for (int row = 0; row + height <= kRows; ++row)
      for (int column = 0; column + width <= kColumns; ++column) {
        Placement made;
        made.form = form;
        made.row = row;
        made.column = column;
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            const int code = text[static_cast<std::size_t>(y * (width + 1) + x)] - '0';
            if (code == 0) continue;
            const int r = row + y, c = column + x, cell = r * kColumns + c;
            made.cells[made.count] = static_cast<std::uint8_t>(cell);
            made.codes[made.count++] = static_cast<std::uint8_t>(code);
            for (int way = 0; way < 4; ++way)
              made.lines.line[port_of(way, cell)] |= static_cast<std::uint16_t>(1 << along(way, cell));
            made.solid(cell);
            const int level = kCells + r * kColumns + c;                              // the side above, 9 x 10
            const int upright = kCells + (kRows + 1) * kColumns + r * (kColumns + 1) + c;  // the left side, 8 x 11
            if (code >= 3) made.solid(level);
            if (code == 1 || code == 2 || code == 5) made.solid(level + kColumns);
            if (code == 2 || code == 4 || code == 5) made.solid(upright);
            if (code == 1 || code == 3 || code == 5) made.solid(upright + 1);
          }
        found.push_back(made);
      }
  }
  return found;
}

// A mine with its cells filled in. Contents of cells that no line calls occupied mean nothing.
struct Filled {
  Lines lines;
  std::array<std::uint8_t, kCells> content;  // 8 * gem + code
};

// The set of gems and the rules by which mines are legal. Immutable after construction.
class Rules {
 public:
  Rules(std::string_view letters, Whites whites) {
    for (const char letter : letters) {
      const auto gem = kLetters.find(letter);
      if (gem == std::string_view::npos || (!gems_.empty() && static_cast<int>(gem) <= gems_.back()))
        throw std::invalid_argument("gems");
      gems_.push_back(static_cast<int>(gem));
    }
    if (gems_.empty()) throw std::invalid_argument("gems");
    for (const int gem : gems_) {
      word_.push_back(words_);
      placements_.push_back(placements_of(gem));
      words_ += static_cast<int>(placements_.back().size() + 63) / 64;
    }
    word_.push_back(words_);
    for (int gem = 0; gem < gems(); ++gem)
      for (const auto& placement : placements_[gem]) {
        auto& row = together_[gem].emplace_back();
        for (int other = 0; other < gems(); ++other) {
          if (other == gem) continue;
          for (int number = 0; number < count(other); ++number)
            if (goes(gem, placement, other, placements_[other][number], whites)) set(row, other, number);
        }
      }
    for (int gem = 0; gem < gems(); ++gem)
      for (int number = 0; number < count(gem); ++number) {
        const auto& placement = placements_[gem][number];
        for (int i = 0; i < placement.count; ++i) {
          set(at_[placement.cells[i]][placement.codes[i]], gem, number);
          set(at_[placement.cells[i]][0], gem, number);
        }
      }
  }

  using Set = std::array<std::uint64_t, kMostWords>;  // of placements of all gems

  int gems() const { return static_cast<int>(gems_.size()); }
  int gem(int index) const { return gems_[index]; }
  int count(int index) const { return static_cast<int>(placements_[index].size()); }
  int words() const { return words_; }
  int word(int index) const { return word_[index]; }  // the first word of a gem's placements, up to word(index + 1)
  const Placement& placement(int index, int number) const { return placements_[index][number]; }
  // The placements of other gems that go with this one.
  const Set& together(int index, int number) const { return together_[index][number]; }
  // The placements with this code at a cell; with code 0 those that occupy it at all.
  const Set& at(int cell, int code) const { return at_[cell][code]; }
  std::uint8_t colours(int index) const { return kColours[gems_[index]]; }
  bool absorbs(int index) const { return gems_[index] == 6; }

  void set(Set& to, int index, int number) const { to[word_[index] + (number >> 6)] |= std::uint64_t{1} << (number & 63); }
  bool has(const Set& of, int index, int number) const { return of[word_[index] + (number >> 6)] >> (number & 63) & 1; }

  void check(const Mine& mine) const {
    for (int gem = 0; gem < gems(); ++gem)
      if (mine[gem] >= count(gem)) throw std::invalid_argument("no such placement");
  }

  Filled fill(const Mine& mine) const {
    Filled filled;
    for (int gem = 0; gem < gems(); ++gem) {
      const auto& placement = placements_[gem][mine[gem]];
      filled.lines.add(placement.lines);
      for (int i = 0; i < placement.count; ++i)
        filled.content[placement.cells[i]] = static_cast<std::uint8_t>(8 * gem + placement.codes[i]);
    }
    return filled;
  }

  bool disjoint(const Mine& mine) const {
    for (int gem = 0; gem < gems(); ++gem)
      for (int other = 0; other < gem; ++other)
        if (!has(together_[gem][mine[gem]], other, mine[other])) return false;
    return true;
  }

  // Whether each gem is the first thing met on a straight line from some port.
  bool visible(const Filled& filled) const {
    unsigned seen = 0;
    for (int line = 0; line < kPorts; ++line)
      if (const unsigned occupied = filled.lines.line[line])
        seen |= 1u << (filled.content[kTables.cell[line][std::countr_zero(occupied)]] >> 3);
    return seen == (1u << gems()) - 1;
  }

  bool legal(const Mine& mine) const { return disjoint(mine) && visible(fill(mine)); }

  Wave trace(const Filled& filled, int port) const {
    int line = port, at = 0, way = kTables.way[port];
    Wave wave;
    while (true) {
      const unsigned ahead = filled.lines.line[line] >> at;
      if (ahead == 0) {
        wave.exit = opposite(line);
        return wave;
      }
      const int cell = kTables.cell[line][at + std::countr_zero(ahead)];
      const int content = filled.content[cell];
      if (absorbs(content >> 3)) return {};
      wave.colours |= colours(content >> 3);
      ++wave.bounces;
      const Next next = kTables.next[cell][content & 7][way];
      if (next.way == kBack) {
        // It retraces its path: all bounces but the last one come again.
        wave.exit = port;
        wave.bounces = 2 * wave.bounces - 1;
        return wave;
      }
      line = next.line;
      at = next.at;
      way = next.way;
    }
  }

  // All waves; one that leaves at another port tells the way back too.
  void trace_all(const Filled& filled, std::array<Wave, kPorts>& waves) const {
    std::uint64_t known = 0;
    for (int port = 0; port < kPorts; ++port) {
      if (known >> port & 1) continue;
      waves[port] = trace(filled, port);
      const int exit = waves[port].exit;
      if (exit > port) {
        waves[exit] = {port, waves[port].colours, waves[port].bounces};
        known |= std::uint64_t{1} << exit;
      }
    }
  }

  // What is asked of a cell.
  int ask(const Filled& filled, int cell) const {
    const int row = cell / kColumns;
    if (!(filled.lines.line[row] >> cell % kColumns & 1)) return 0;
    return kCellAnswer[gems_[filled.content[cell] >> 3]];
  }

  // A legal mine, each as likely as any other.
  Mine random(SplitMix64& random) const {
    while (true) {
      Mine mine{};
      bool goes = true;
      for (int gem = 0; goes && gem < gems(); ++gem) {
        mine[gem] = static_cast<std::uint16_t>(random.below(static_cast<std::uint32_t>(count(gem))));
        for (int other = 0; goes && other < gem; ++other) goes = has(together_[gem][mine[gem]], other, mine[other]);
      }
      if (goes && visible(fill(mine))) return mine;
    }
  }

 private:
  static constexpr std::array<std::uint8_t, kGems> kColours{1, 2, 4, 8, 8, 0, 0};

  bool goes(int gem, const Placement& one, int other, const Placement& two, Whites whites) const {
    for (std::size_t i = 0; i < one.body.size(); ++i)
      if (one.body[i] & two.body[i]) return false;
    if (gems_[gem] == 3 && gems_[other] == 4) return !mirrored(one, two, whites);
    if (gems_[gem] == 4 && gems_[other] == 3) return !mirrored(two, one, whites);
    return true;
  }

  // Whether the option forbids how the white triangle and the white square lie. The triangle has one axis, upright in
  // forms 0 and 2.
  static bool mirrored(const Placement& triangle, const Placement& square, Whites whites) {
    if (whites == Whites::free) return false;
    const bool upright = triangle.form % 2 == 0;
    const int one = (upright ? triangle.column : triangle.row) + 2;
    const int two = (upright ? square.column : square.row) + 1;
    return one == two && (whites == Whites::no_common_axis || one == (upright ? kColumns : kRows) / 2);
  }

  std::vector<int> gems_;
  std::vector<int> word_;
  int words_ = 0;
  std::vector<std::vector<Placement>> placements_;
  std::array<std::vector<Set>, kGems> together_;
  std::array<std::array<Set, kCodes>, kCells> at_{};
};

}  // namespace kletka::orapa
