// Alpha-beta with iterative deepening, a transposition table with whole keys, and a search for wins by threats at
// every position. It knows no game, and is deterministic by (position, nodes, seed).
//
// A Position offers
//   Key key() const, std::uint64_t hash() const   equality and hash of all that matters
//   Glance glance() const                         what the rules say without search; sound
//   int estimate() const                          for the mover, within kEstimate
//   int plies_left() const                        how many moves there can be at most
//   bool candidates(std::vector<Candidate>&, bool all) const
//                                                 moves, without those that lose at once where others exist; true if
//                                                 others that may matter were left out too (never with `all`)
//   void threats(std::vector<Candidate>&) const   moves that may threaten to win
//   bool forces() const                           whether the move just played does threaten to win
//   bool allows(int) const                        whether a move remembered of a position with the same key fits here
//   void play(int), void undo(int)
// for two sides that move in turn.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bits.hpp"
#include "search.hpp"

namespace kletka {

struct Glance {
  enum Kind { open, won, lost, drawn, forced } kind = open;
  int plies = 0;  // won, lost: until the end
  int move = -1;  // won: the winning move; forced: the only one that doesn't lose at once; lost: any
};

struct Candidate {
  int move;
  int promise;
};

// How far the search sees. Levels differ in these besides nodes.
struct Sight {
  int depth = kMostPlies;  // plies
  int width = kMostPlies;  // moves looked at in a position, the most promising first
  int threats = 40;        // plies of a win by threats, each with a single reply; 0: none are looked for
  int noise = 0;           // greatest error added to an estimate
};

template <class Position>
class AlphaBeta {
 public:
  AlphaBeta(Position& position, const Sight& sight, std::uint64_t seed, Watch& watch)
      : at_(position), sight_(sight), seed_(seed), watch_(watch) {}

  // `nodes` sizes the table; the watch ends the search.
  Report run(std::uint64_t nodes, const Progress& progress) {
    const Glance seen = at_.glance();
    if (seen.kind == Glance::won) return {seen.move, kWin - seen.plies, {seen.move}, 1, true};
    if (seen.kind == Glance::lost) return {seen.move, seen.plies - kWin, {seen.move}, 1, true};
    table_.resize(std::bit_ceil(std::clamp<std::uint64_t>(nodes, 1 << 10, 1 << 20)));
    threats_.resize(table_.size());
    std::vector<Candidate> roots{{seen.move, 0}};
    bool left_out = seen.kind != Glance::forced && root_moves(roots, false);
    Report report{roots[0].move, 0, {roots[0].move}, 0, false};
    const int deepest = std::min(sight_.depth, at_.plies_left());
    for (int depth = 1; depth <= deepest; ++depth) {
      bool finished = deepen(depth, roots, left_out, report);
      if (finished && left_out && report.score <= -kProven) {
        left_out = root_moves(roots, true);
        finished = deepen(depth, roots, left_out, report);
      }
      report.nodes = watch_.nodes();
      if (!finished) break;
      if (progress) progress(report);
      if (report.exact) break;
    }
    report.nodes = watch_.nodes();
    return report;
  }

 private:
  struct Value {
    int score;
    bool sound;  // follows from the rules alone: no estimate and no left-out move takes part

    Value operator-() const { return {-score, sound}; }
  };

  enum Bound : std::uint8_t { nothing, exactly, at_least, at_most };

  struct Entry {
    typename Position::Key key{};
    std::int16_t score = 0;
    std::int16_t move = -1;
    std::int16_t depth = 0;
    Bound bound = nothing;
    bool sound = false;
  };

  struct Threat {
    typename Position::Key key{};
    std::int16_t plies_seen = 0;
    std::int16_t win = 0;
  };

  // One turn at the root; false when it was cut short. A better move found before the cut is kept.
  bool deepen(int depth, std::vector<Candidate>& roots, bool left_out, Report& report) {
    int best = -kWin;
    bool sound = !left_out;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const int move = roots[i].move;
      Value value{0, true};
      if (i > 0) value = after(move, [&] { return search(depth - 1, -best - 1, -best, 1); });
      if (i == 0 || value.score > best) value = after(move, [&] { return search(depth - 1, -kWin, -best, 1); });
      if (watch_.stopped()) return false;
      sound = sound && value.sound;
      if (i > 0 && value.score <= best) continue;
      best = value.score;
      report.move = move;
      report.score = best;
      report.exact = value.sound && best >= kProven;
      report.line = expected(move, depth);
      const auto here = roots.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(roots.begin(), here, here + 1);
      if (report.exact) return true;
    }
    report.exact = sound;
    return true;
  }

  Value search(int depth, int alpha, int beta, int ply) {
    const Glance seen = at_.glance();
    if (settled(seen)) return value_of(seen, ply);
    // The only reply costs no depth.
    if (seen.kind == Glance::forced) return after(seen.move, [&] { return search(depth, -beta, -alpha, ply + 1); });
    const auto key = at_.key();
    Entry& entry = table_[at_.hash() & (table_.size() - 1)];
    const bool met = entry.bound != nothing && entry.key == key;
    if (met && (entry.depth >= depth || entry.sound) && cuts(entry, alpha, beta, ply))
      return {from_table(entry.score, ply), entry.sound};
    if (const int win = win_by_threats(sight_.threats); win > 0) return {kWin - ply - win, true};
    if (watch_.stopped()) return {0, false};
    if (depth <= 0) return {blurred(at_.estimate()), false};
    auto& moves = list();
    const bool left_out = fill(moves, met ? entry.move : -1);
    const int floor = alpha;
    Value best{-kWin, false};
    int best_move = -1;
    bool all_sound = !left_out;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const int move = moves[i].move;
      const Value value = after(move, [&] { return later(depth, alpha, beta, ply, i); });
      if (watch_.stopped()) return {0, false};
      all_sound = all_sound && value.sound;
      if (value.score > best.score) {
        best = value;
        best_move = move;
      }
      alpha = std::max(alpha, best.score);
      if (alpha >= beta) break;
    }
    if (left_out && best.score <= -kProven) best = {ply - kEstimate, false};
    const Bound bound = best.score >= beta ? at_least : best.score <= floor ? at_most : exactly;
    // A bound from below rests on the best move alone; the others need every move.
    if (bound != at_least && best.score < kProven) best.sound = all_sound;
    keep(key, best, bound, depth, best_move, ply);
    return best;
  }

  // After the i-th move of a list, from the reply's view: all but the first are tried with a narrow window, and far
  // from the leaves the quiet ones a ply less, before they are looked at in full. A search to the very end takes no
  // such short cuts, so that it proves what it finds.
  Value later(int depth, int alpha, int beta, int ply, std::size_t i) {
    if (i == 0) return search(depth - 1, -beta, -alpha, ply + 1);
    const int less = depth >= 3 && depth <= at_.plies_left() && i >= 6 && !at_.forces() ? 1 : 0;
    Value narrow = search(depth - 1 - less, -alpha - 1, -alpha, ply + 1);
    if (-narrow.score > alpha && less > 0) narrow = search(depth - 1, -alpha - 1, -alpha, ply + 1);
    if (-narrow.score > alpha && -narrow.score < beta) narrow = search(depth - 1, -beta, -alpha, ply + 1);
    return narrow;
  }

  // In how many plies the mover wins by moves that each leave a single reply; 0 where no such win is found. Sound.
  int win_by_threats(int plies) {
    const Glance seen = at_.glance();
    if (seen.kind == Glance::won) return seen.plies;
    if (settled(seen) || plies < 3) return 0;
    const auto key = at_.key();
    const std::size_t slot = at_.hash() & (threats_.size() - 1);
    if (threats_[slot].plies_seen >= plies && threats_[slot].key == key) return threats_[slot].win;
    auto& moves = list();
    if (seen.kind == Glance::forced)
      moves.push_back({seen.move, 0});
    else
      at_.threats(moves);
    sort(moves);
    int win = 0;
    for (const auto& candidate : moves) {
      at_.play(candidate.move);
      if (at_.forces() && !watch_.visit()) win = win_after_threat(plies);
      at_.undo(candidate.move);
      if (win > 0 || watch_.stopped()) break;
    }
    if (!watch_.stopped()) threats_[slot] = {key, static_cast<std::int16_t>(plies), static_cast<std::int16_t>(win)};
    return win;
  }

  // The same once a threat is made and its reply is due.
  int win_after_threat(int plies) {
    const Glance reply = at_.glance();
    if (reply.kind == Glance::lost) return 1 + reply.plies;
    if (reply.kind != Glance::forced) return 0;
    at_.play(reply.move);
    const int win = watch_.visit() ? 0 : win_by_threats(plies - 2);
    at_.undo(reply.move);
    return win > 0 ? win + 2 : 0;
  }

  template <class Search>
  Value after(int move, Search search) {
    at_.play(move);
    const Value value = watch_.visit() ? Value{0, false} : -search();
    at_.undo(move);
    return value;
  }

  static bool settled(const Glance& seen) {
    return seen.kind == Glance::won || seen.kind == Glance::lost || seen.kind == Glance::drawn;
  }

  static Value value_of(const Glance& seen, int ply) {
    if (seen.kind == Glance::drawn) return {0, true};
    return {seen.kind == Glance::won ? kWin - ply - seen.plies : ply + seen.plies - kWin, true};
  }

  // The moves at the root, best first, equal promise broken by the seed; whether some were left out.
  bool root_moves(std::vector<Candidate>& moves, bool all) {
    moves.clear();
    bool left_out = at_.candidates(moves, all);
    SplitMix64 random(seed_);
    for (auto& move : moves) move.promise = move.promise * 16 + static_cast<int>(random.below(16));
    sort(moves);
    return (!all && narrow(moves)) || left_out;
  }

  // An empty list for the moves of this position; those of positions before and after it are others.
  std::vector<Candidate>& list() {
    auto& moves = lists_[static_cast<std::size_t>(at_.plies_left())];
    moves.clear();
    return moves;
  }

  bool fill(std::vector<Candidate>& moves, int first) {
    const bool left_out = at_.candidates(moves, false);
    for (auto& move : moves)
      if (move.move == first) move.promise = 1 << 30;
    sort(moves);
    return narrow(moves) || left_out;
  }

  bool narrow(std::vector<Candidate>& moves) const {
    const auto width = static_cast<std::size_t>(sight_.width);
    if (moves.size() <= width) return false;
    moves.resize(width);
    return true;
  }

  static void sort(std::vector<Candidate>& moves) {
    std::sort(moves.begin(), moves.end(), [](const Candidate& a, const Candidate& b) {
      return a.promise != b.promise ? a.promise > b.promise : a.move < b.move;
    });
  }

  int blurred(int estimate) const {
    if (sight_.noise == 0) return estimate;
    SplitMix64 random(seed_ ^ at_.hash());
    return estimate + static_cast<int>(random.below(static_cast<std::uint32_t>(2 * sight_.noise + 1))) - sight_.noise;
  }

  static int from_table(int score, int ply) {
    return score >= kProven ? score - ply : score <= -kProven ? score + ply : score;
  }

  static bool cuts(const Entry& entry, int alpha, int beta, int ply) {
    const int score = from_table(entry.score, ply);
    return entry.bound == exactly || (entry.bound == at_least ? score >= beta : score <= alpha);
  }

  void keep(const typename Position::Key& key, Value value, Bound bound, int depth, int move, int ply) {
    Entry& entry = table_[at_.hash() & (table_.size() - 1)];
    const int score = value.score >= kProven    ? value.score + ply
                      : value.score <= -kProven ? value.score - ply
                                                : value.score;
    entry = {key,   static_cast<std::int16_t>(score), static_cast<std::int16_t>(move), static_cast<std::int16_t>(depth),
             bound, value.sound};
  }

  std::vector<int> expected(int move, int depth) {
    std::vector<int> line{move};
    at_.play(move);
    int last = -1;
    while (static_cast<int>(line.size()) < depth + 16) {
      const Glance seen = at_.glance();
      if (seen.kind == Glance::won) last = seen.move;
      if (settled(seen)) break;
      int next = seen.move;
      if (seen.kind == Glance::open) {
        const Entry& entry = table_[at_.hash() & (table_.size() - 1)];
        next = entry.bound != nothing && entry.key == at_.key() ? entry.move : -1;
        if (next >= 0 && !at_.allows(next)) break;
      }
      if (next < 0) break;
      line.push_back(next);
      at_.play(next);
    }
    for (auto back = line.rbegin(); back != line.rend(); ++back) at_.undo(*back);
    if (last >= 0) line.push_back(last);
    return line;
  }

  Position& at_;
  Sight sight_;
  std::uint64_t seed_;
  Watch& watch_;
  std::vector<Entry> table_;
  std::vector<Threat> threats_;
  std::vector<std::vector<Candidate>> lists_ = std::vector<std::vector<Candidate>>(kMostPlies);
};

}  // namespace kletka
