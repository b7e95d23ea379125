// What a search has proved of positions, by whole keys: equal keys are equal positions, never only equal hashes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace kletka::dots {

// The lines left, and strings that stand alone: how many of each kind, a few bits for each.
template <int W>
struct Key {
  Bits<W> lines;
  std::uint64_t strings = 0;

  bool operator==(const Key&) const = default;

  std::uint64_t hash() const {
    std::uint64_t hash = strings * 0xD6E8FEB86659FD93u;
    for (const auto word : lines.word) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    return hash * 0xD6E8FEB86659FD93u;
  }
};

// What is known of a position: low <= value <= high, and the move that proved it last.
struct Bounds {
  static constexpr int kNoMove = 255;

  int low;
  int high;
  int move = kNoMove;
};

// Places for bounds in buckets of four. It doubles while it may; then what has the fewest lines left makes room.
template <int W>
class Memory {
 public:
  static constexpr std::uint64_t kStringsMask = (std::uint64_t{1} << 40) - 1;

  // Not doubled where old and new together would take more than so many bytes.
  explicit Memory(std::uint64_t most_bytes) : most_bytes_(most_bytes), buckets_(kFirst) {}

  void prefetch(const Key<W>& key) const { __builtin_prefetch(&buckets_[place(key)]); }

  // False where nothing is known.
  bool find(const Key<W>& key, Bounds& bounds) const {
    for (const Entry& entry : buckets_[place(key)].entries)
      if (!entry.empty() && entry.key() == key) {
        bounds = entry.bounds();
        return true;
      }
    return false;
  }

  void keep(const Key<W>& key, const Bounds& bounds) {
    Bucket* bucket = &buckets_[place(key)];
    Entry* place_for = nullptr;
    int fewest = 0;
    for (Entry& entry : bucket->entries) {
      if (entry.empty() || entry.key() == key) {
        used_ += entry.empty();
        place_for = &entry;
        break;
      }
      const int lines = count(entry.lines);
      if (place_for && lines >= fewest) continue;
      place_for = &entry;
      fewest = lines;
    }
    *place_for = {key, bounds};
    if (used_ > buckets_.size() * 3) grow();
  }

 private:
  static constexpr std::size_t kFirst = 256;

  struct Entry {
    Bits<W> lines;
    std::uint64_t rest = 0;  // 40 bits of strings, then low, high and the move

    Entry() = default;
    Entry(const Key<W>& key, const Bounds& bounds)
        : lines(key.lines),
          rest(key.strings | std::uint64_t{static_cast<std::uint8_t>(bounds.low)} << 40 |
               std::uint64_t{static_cast<std::uint8_t>(bounds.high)} << 48 |
               std::uint64_t{static_cast<std::uint8_t>(bounds.move)} << 56) {}

    Key<W> key() const { return {lines, rest & kStringsMask}; }

    // No position without lines and strings is kept.
    bool empty() const { return key() == Key<W>{}; }

    Bounds bounds() const {
      return {static_cast<std::int8_t>(rest >> 40), static_cast<std::int8_t>(rest >> 48),
              static_cast<std::uint8_t>(rest >> 56)};
    }
  };

  struct alignas(64) Bucket {
    std::array<Entry, 4> entries;
  };

  static int count(const Bits<W>& lines) {
    int count = 0;
    for (const auto word : lines.word) count += std::popcount(word);
    return count;
  }

  std::size_t place(const Key<W>& key) const { return key.hash() >> 20 & (buckets_.size() - 1); }

  void grow() {
    if (3 * buckets_.size() * sizeof(Bucket) > most_bytes_) return;
    std::vector<Bucket> before(2 * buckets_.size());
    before.swap(buckets_);
    used_ = 0;
    for (const Bucket& bucket : before)
      for (const Entry& entry : bucket.entries)
        if (!entry.empty()) keep(entry.key(), entry.bounds());
  }

  std::uint64_t most_bytes_;
  std::vector<Bucket> buckets_;
  std::uint64_t used_ = 0;
};

}  // namespace kletka::dots
