// Crystals: the paper as orbits at every centre, and a sheet that knows at once which orbits a seat can still use.
//
// Folded along its axes, a crystal at a centre is a set of orbits. These lie in rows: with four axes row a of a wedge
// has b = a, a + 1, ...; with two they are the rows (or columns) of a quarter. Where no boundary may interlock, the
// largest crystal takes from each row, from row 0 on, its orbits up to the first barred one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bits.hpp"

namespace kletka::crystals {

inline constexpr int kMostSide = 40;
inline constexpr int kMostSeats = 6;
inline constexpr int kMostRows = kMostSide / 2;
inline constexpr int kMostLeast = 8;

struct Options {
  int width = 21;
  int height = 21;
  int seats = 2;
  int axes = 4;
  bool interlock = false;  // boundaries may interlock
  bool full = false;       // every square of a crystal holds an atom
  int least = 4;
  bool any = false;  // a turn may grow several crystals
  bool swap = false;
};

enum class Fold : std::uint8_t { rows, columns, wedge };

// A row of orbits: the number of its first one, how many squares that has, and how many each of the others.
struct Row {
  std::uint32_t orbits;
  std::uint8_t length, first, rest;

  int squares(int orbits_taken) const { return orbits_taken == 0 ? 0 : first + (orbits_taken - 1) * rest; }
};

// A centre in half squares (first and last column added, first and last row) and one way to fold the paper there.
struct Figure {
  std::int16_t x, y;
  Fold fold;
  std::uint8_t count;  // rows
  std::uint32_t row;   // number of the first

  // What the row before must take so that a row may follow.
  int needed() const { return fold == Fold::wedge ? 2 : 1; }
};

struct Place {
  std::uint32_t at;  // number of a row, times 32, and of the orbit in it

  std::uint32_t row() const { return at >> 5; }
  int bit() const { return static_cast<int>(at & 31); }
};

// The paper of a game: all figures in canonical order (row of the centre, column, fold).
class Paper {
 public:
  Paper(const Options& options, std::string_view cut) : options(options) {
    const auto& o = options;
    if (o.width < 1 || o.width > kMostSide || o.height < 1 || o.height > kMostSide ||
        static_cast<int>(cut.size()) != o.width * o.height)
      throw std::invalid_argument("board");
    if (o.seats < 2 || o.seats > kMostSeats || (o.axes != 2 && o.axes != 4) || o.least < 4 || o.least > kMostLeast ||
        (o.swap && o.seats != 2))
      throw std::invalid_argument("options");
    for (const char sign : cut) {
      if (sign != '.' && sign != '#') throw std::invalid_argument("board");
      there.push_back(sign == '.');
    }
    for (int y = 0; y < 2 * o.height - 1; ++y)
      for (int x = 0; x < 2 * o.width - 1; ++x) {
        const bool even = (x + y) % 2 == 0;
        if (o.axes == 2) {
          add(x, y, Fold::rows);
          add(x, y, Fold::columns);
        }
        if (even) add(x, y, Fold::wedge);
      }
    places.resize(there.size());
    for (std::uint32_t figure = 0; figure < figures.size(); ++figure)
      for (int a = 0; a < figures[figure].count; ++a) {
        const std::uint32_t row = figures[figure].row + static_cast<std::uint32_t>(a);
        for (int i = 0; i < rows[row].length; ++i)
          for (const auto square : squares(row, i)) places[square].push_back({row << 5 | static_cast<std::uint32_t>(i)});
      }
  }

  int cells() const { return static_cast<int>(there.size()); }

  struct Squares {
    const std::uint16_t* first;
    const std::uint16_t* last;
    const std::uint16_t* begin() const { return first; }
    const std::uint16_t* end() const { return last; }
  };

  // The squares of an orbit.
  Squares squares(std::uint32_t row, int i) const {
    const std::uint32_t orbit = rows[row].orbits + static_cast<std::uint32_t>(i);
    return {squares_.data() + start_[orbit], squares_.data() + start_[orbit + 1]};
  }

  std::uint32_t orbits() const { return static_cast<std::uint32_t>(start_.size()) - 1; }

  Options options;
  std::vector<bool> there;
  std::vector<Figure> figures;
  std::vector<Row> rows;
  std::vector<std::uint32_t> figure_of;   // of a row
  std::vector<std::vector<Place>> places;  // of a square: the orbits that it is in

 private:
  void add(int x, int y, Fold fold) {
    const int px = x & 1;
    const int py = y & 1;
    const int across = std::min(x / 2, options.width - 1 - x / 2 - px) + 1;
    const int up = std::min(y / 2, options.height - 1 - y / 2 - py) + 1;
    const int room = std::min(across, up);
    const int count = fold == Fold::rows ? up : fold == Fold::columns ? across : room;
    figures.push_back({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), fold,
                       static_cast<std::uint8_t>(count), static_cast<std::uint32_t>(rows.size())});
    for (int a = 0; a < count; ++a) {
      const int length = fold == Fold::rows ? across : fold == Fold::columns ? up : room - a;
      Row row{orbits(), static_cast<std::uint8_t>(length), 0, 0};
      for (int i = 0; i < length; ++i) {
        const int b = fold == Fold::wedge ? a + i : i;
        const std::size_t before = squares_.size();
        const auto push = [&](int dx, int dy) {
          for (int sx = dx == 0 ? 1 : -1; sx <= 1; sx += 2)
            for (int sy = dy == 0 ? 1 : -1; sy <= 1; sy += 2)
              squares_.push_back(static_cast<std::uint16_t>((y + sy * dy) / 2 * options.width + (x + sx * dx) / 2));
        };
        if (fold == Fold::columns) {
          push(2 * a + px, 2 * b + py);
        } else {
          push(2 * b + px, 2 * a + py);
          if (fold == Fold::wedge && a != b) push(2 * a + py, 2 * b + px);
        }
        if (i < 2) (i == 0 ? row.first : row.rest) = static_cast<std::uint8_t>(squares_.size() - before);
        start_.push_back(static_cast<std::uint32_t>(squares_.size()));
      }
      rows.push_back(row);
      figure_of.push_back(static_cast<std::uint32_t>(figures.size()) - 1);
    }
  }

  std::vector<std::uint16_t> squares_;
  std::vector<std::uint32_t> start_{0};
};

// How far the largest crystal of a figure goes.
struct Extent {
  int size = 0;
  int atoms = 0;
  int rows = 0;
  std::array<std::uint8_t, kMostRows> length;  // orbits taken from each row
};

inline constexpr std::uint8_t kFree = 0;
inline constexpr std::uint8_t kDead = 7;

// Which squares are free, hold free atoms (1 + seat) or are dead, kept up to date for every row of orbits.
class Sheet {
 public:
  explicit Sheet(const Paper& paper)
      : paper_(&paper),
        stride_(paper.options.seats + (paper.options.full ? 2 : 1)),
        cell_(there(paper)),
        words_(paper.rows.size() * static_cast<std::size_t>(stride_)),
        atoms_(paper.orbits()) {
    for (std::uint32_t row = 0; row < paper.rows.size(); ++row)
      words(row)[0] = ~((std::uint32_t{1} << paper.rows[row].length) - 1);
    for (int square = 0; square < paper.cells(); ++square)
      if (!paper.there[square]) kill(square);
  }

  const Paper& paper() const { return *paper_; }
  std::uint8_t cell(int square) const { return cell_[square]; }
  const std::vector<std::uint8_t>& cells() const { return cell_; }

  void place(int square, int seat) { place(square, seat, paper_->places[square]); }
  void lift(int square) { lift(square, paper_->places[square]); }

  // Only some of the orbits that a square is in take note.
  void place(int square, int seat, const std::vector<Place>& places) {
    cell_[square] = static_cast<std::uint8_t>(1 + seat);
    for (const Place at : places) {
      const std::uint32_t row = at.row();
      words(row)[1 + seat] |= std::uint32_t{1} << at.bit();
      const auto count = ++atoms_[paper_->rows[row].orbits + at.bit()];
      if (paper_->options.full && count == size_of(row, at.bit())) filled(row) |= std::uint32_t{1} << at.bit();
    }
  }

  // Takes a free atom away again.
  void lift(int square, const std::vector<Place>& places) {
    const std::uint8_t sign = cell_[square];
    cell_[square] = kFree;
    for (const Place at : places) {
      const std::uint32_t row = at.row();
      bool more = false;
      if (--atoms_[paper_->rows[row].orbits + at.bit()] > 0)
        for (const auto other : paper_->squares(row, at.bit())) more |= cell_[other] == sign;
      if (!more) words(row)[sign] &= ~(std::uint32_t{1} << at.bit());
      if (paper_->options.full) filled(row) &= ~(std::uint32_t{1} << at.bit());
    }
  }

  // The square is in a crystal now, or cut out.
  void kill(int square) {
    cell_[square] = kDead;
    for (const Place at : paper_->places[square]) words(at.row())[0] |= std::uint32_t{1} << at.bit();
  }

  // The orbits of a row that a seat can't use: those with dead squares or other seats' atoms.
  std::uint32_t barred(std::uint32_t row, int seat) const {
    const std::uint32_t* word = words(row);
    std::uint32_t bad = word[0];
    for (int other = 0; other < paper_->options.seats; ++other)
      if (other != seat) bad |= word[1 + other];
    return bad;
  }

  // The same where every square must hold one of the seat's atoms.
  std::uint32_t unfilled(std::uint32_t row, int seat) const {
    return barred(row, seat) | ~words(row)[1 + paper_->options.seats];
  }

  std::uint32_t own(std::uint32_t row, int seat) const { return words(row)[1 + seat]; }

  int atoms(std::uint32_t row, int orbit) const { return atoms_[paper_->rows[row].orbits + orbit]; }

  // A seat's atoms among the first orbits of a row, all of which it can use.
  int atoms(std::uint32_t row, int seat, int orbits) const {
    int sum = 0;
    for (std::uint32_t found = own(row, seat) & ((std::uint32_t{1} << orbits) - 1); found != 0; found &= found - 1)
      sum += atoms(row, std::countr_zero(found));
    return sum;
  }

  // The largest crystal of a figure that doesn't interlock; `filled`: of squares that hold the seat's atoms. Of each
  // row only so many orbits count as lie within the first `reach` rings around the centre.
  Extent extent(const Figure& figure, int seat, bool filled, int reach = kMostRows) const {
    Extent extent;
    const bool wedge = figure.fold == Fold::wedge;
    for (int a = 0; a < std::min<int>(figure.count, reach); ++a) {
      const std::uint32_t row = figure.row + static_cast<std::uint32_t>(a);
      const std::uint32_t bad = filled ? unfilled(row, seat) : barred(row, seat);
      const int length = std::min(std::countr_zero(bad), wedge ? reach - a : reach);
      if (length == 0) break;
      extent.length[a] = static_cast<std::uint8_t>(length);
      extent.rows = a + 1;
      extent.size += paper_->rows[row].squares(length);
      extent.atoms += atoms(row, seat, length);
      if (length < figure.needed()) break;
    }
    return extent;
  }

  // Only its size.
  int reach(const Figure& figure, int seat) const {
    int size = 0;
    for (std::uint32_t row = figure.row; row < figure.row + figure.count; ++row) {
      const int length = std::countr_zero(barred(row, seat));
      size += paper_->rows[row].squares(length);
      if (length < figure.needed()) break;
    }
    return size;
  }

  template <class Visit>
  void each(const Figure& figure, const Extent& extent, Visit visit) const {
    for (std::uint32_t a = 0; a < static_cast<std::uint32_t>(extent.rows); ++a)
      for (int i = 0; i < extent.length[a]; ++i)
        for (const auto square : paper_->squares(figure.row + a, i)) visit(square);
  }

  std::vector<int> squares(const Figure& figure, const Extent& extent) const {
    std::vector<int> found;
    each(figure, extent, [&](int square) { found.push_back(square); });
    return found;
  }

 private:
  static std::vector<std::uint8_t> there(const Paper& paper) {
    std::vector<std::uint8_t> cells;
    for (const bool is : paper.there) cells.push_back(is ? kFree : kDead);
    return cells;
  }

  int size_of(std::uint32_t row, int orbit) const {
    return orbit == 0 ? paper_->rows[row].first : paper_->rows[row].rest;
  }

  std::uint32_t* words(std::uint32_t row) { return words_.data() + std::size_t{row} * static_cast<std::size_t>(stride_); }
  const std::uint32_t* words(std::uint32_t row) const {
    return words_.data() + std::size_t{row} * static_cast<std::size_t>(stride_);
  }
  std::uint32_t& filled(std::uint32_t row) { return words(row)[1 + paper_->options.seats]; }

  const Paper* paper_;
  int stride_;
  std::vector<std::uint8_t> cell_;
  // For each row the orbits with dead squares, those with atoms of each seat, and where it matters those without a
  // free square.
  std::vector<std::uint32_t> words_;
  std::vector<std::uint8_t> atoms_;  // of each orbit; read only where one seat has all of them
};

// A position: the sheet, who is to move, squares gained, who has passed since and who has left.
struct Position {
  Sheet sheet;
  int turn = -1;  // -1: over
  std::array<int, kMostSeats> scores{};
  std::uint32_t passed = 0;
  std::uint32_t gone = 0;

  std::uint32_t staying() const { return ((std::uint32_t{1} << sheet.paper().options.seats) - 1) & ~gone; }
};

// Grid row by row from below (`.` free, `a`..`f` free atom of a seat, `#` dead), turn (`-`: over), scores joined by
// commas, a 1 for each seat that has passed, a 1 for each that has left.
inline Position read(const Sheet& empty, std::string_view text) {
  const auto& options = empty.paper().options;
  std::array<std::string_view, 5> words;
  for (std::size_t number = 0; number < words.size(); ++number) {
    const auto end = text.find(' ');
    if ((end == text.npos) != (number + 1 == words.size())) throw std::invalid_argument("position");
    words[number] = text.substr(0, end);
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
  }
  Position position{empty};
  if (static_cast<int>(words[0].size()) != empty.paper().cells()) throw std::invalid_argument("position");
  for (int square = 0; square < empty.paper().cells(); ++square) {
    const char sign = words[0][static_cast<std::size_t>(square)];
    if (sign == '#') {
      if (empty.cell(square) != kDead) position.sheet.kill(square);
    } else if (empty.cell(square) == kDead) {
      throw std::invalid_argument("position: cut out");
    } else if (sign >= 'a' && sign < 'a' + options.seats) {
      position.sheet.place(square, sign - 'a');
    } else if (sign != '.') {
      throw std::invalid_argument("position");
    }
  }
  if (words[1].size() != 1) throw std::invalid_argument("position: turn");
  if (words[1] != "-") {
    position.turn = words[1][0] - '0';
    if (position.turn < 0 || position.turn >= options.seats) throw std::invalid_argument("position: turn");
  }
  const char* at = words[2].data();
  const char* end = at + words[2].size();
  for (int seat = 0; seat < options.seats; ++seat) {
    if (seat > 0 && (at == end || *at++ != ',')) throw std::invalid_argument("position: scores");
    const auto [rest, error] = std::from_chars(at, end, position.scores[static_cast<std::size_t>(seat)]);
    const int score = position.scores[static_cast<std::size_t>(seat)];
    if (error != std::errc{} || score < 0 || score > empty.paper().cells())
      throw std::invalid_argument("position: scores");
    at = rest;
  }
  if (at != end) throw std::invalid_argument("position: scores");
  const auto seats = [&](std::string_view signs) {
    if (static_cast<int>(signs.size()) != options.seats) throw std::invalid_argument("position: seats");
    std::uint32_t found = 0;
    for (int seat = 0; seat < options.seats; ++seat) {
      const char sign = signs[static_cast<std::size_t>(seat)];
      if (sign != '0' && sign != '1') throw std::invalid_argument("position: seats");
      found |= static_cast<std::uint32_t>(sign - '0') << seat;
    }
    return found;
  };
  position.passed = seats(words[3]);
  position.gone = seats(words[4]);
  if (position.turn >= 0 && (position.gone >> position.turn & 1)) throw std::invalid_argument("position: turn");
  return position;
}

}  // namespace kletka::crystals
