// Sets of up to 64*W cells, the choice of their n-th member, and the seeded generator of random numbers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kletka {

// splitmix64 (Steele, Lea, Flood 2014). src/kletka/engines/playouts.py writes the same one in Python.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  // A number below `bound`: the upper half of a 128-bit product, so that no division is needed.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(static_cast<unsigned __int128>(next()) * bound >> 64);
  }

 private:
  std::uint64_t state_;
};

template <int W>
struct Bits {
  std::array<std::uint64_t, W> word{};

  bool test(int i) const { return word[i >> 6] >> (i & 63) & 1; }
  void set(int i) { word[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void clear(int i) { word[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }

  bool any() const {
    std::uint64_t all = 0;
    for (auto part : word) all |= part;
    return all != 0;
  }

  // The lowest member; the set must not be empty.
  int first() const {
    int i = 0;
    while (word[i] == 0) ++i;
    return i * 64 + std::countr_zero(word[i]);
  }

  // Whether there are at least two members.
  bool several() const {
    bool one = false;
    for (auto part : word) {
      if (part == 0) continue;
      if (one || (part & (part - 1)) != 0) return true;
      one = true;
    }
    return false;
  }

  template <class Visit>
  void each(Visit visit) const {
    for (int i = 0; i < W; ++i)
      for (auto part = word[i]; part != 0; part &= part - 1) visit(i * 64 + std::countr_zero(part));
  }

  Bits operator&(const Bits& other) const {
    Bits both;
    for (int i = 0; i < W; ++i) both.word[i] = word[i] & other.word[i];
    return both;
  }

  Bits operator|(const Bits& other) const {
    Bits either;
    for (int i = 0; i < W; ++i) either.word[i] = word[i] | other.word[i];
    return either;
  }

  // The members that `other` lacks.
  Bits without(const Bits& other) const {
    Bits rest;
    for (int i = 0; i < W; ++i) rest.word[i] = word[i] & ~other.word[i];
    return rest;
  }

  bool operator==(const Bits&) const = default;

  // An order of sets, for the least of several.
  bool operator<(const Bits& other) const {
    for (int i = W - 1; i > 0; --i)
      if (word[i] != other.word[i]) return word[i] < other.word[i];
    return word[0] < other.word[0];
  }
};

#if defined(__x86_64__)
inline bool has_pdep() { return __builtin_cpu_supports("bmi2"); }

// Written as assembly because the intrinsic would force its target on every caller and so stop the inlining.
inline std::uint64_t pdep(std::uint64_t source, std::uint64_t mask) {
  std::uint64_t spread;
  asm("pdep %2, %1, %0" : "=r"(spread) : "r"(source), "rm"(mask));
  return spread;
}
#else
inline bool has_pdep() { return false; }
inline std::uint64_t pdep(std::uint64_t, std::uint64_t) { return 0; }
#endif

// The position of the n-th set bit (from 0) by byte sums; there must be one.
inline int select_broadword(std::uint64_t x, unsigned n) {
  std::uint64_t sums = x - (x >> 1 & 0x5555555555555555u);
  sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
  sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u;
  int shift = 0;
  unsigned before = 0;
  while ((sums >> shift & 0xFF) <= n) {
    before = static_cast<unsigned>(sums >> shift & 0xFF);
    shift += 8;
  }
  std::uint64_t byte = x >> shift & 0xFF;
  for (n -= before; n > 0; --n) byte &= byte - 1;
  return shift + std::countr_zero(byte);
}

// The same; `Pdep` only where has_pdep().
template <bool Pdep>
inline int select(std::uint64_t x, unsigned n) {
  if constexpr (Pdep)
    return std::countr_zero(pdep(std::uint64_t{1} << n, x));
  else
    return select_broadword(x, n);
}

// The n-th member of a set, from 0; there must be one.
template <int W, bool Pdep>
int nth(const Bits<W>& set, unsigned n) {
  if constexpr (W == 1) {
    return select<Pdep>(set.word[0], n);
  } else {
    for (int i = 0;; ++i) {
      const auto here = static_cast<unsigned>(std::popcount(set.word[i]));
      if (n < here) return i * 64 + select<Pdep>(set.word[i], n);
      n -= here;
    }
  }
}

}  // namespace kletka
