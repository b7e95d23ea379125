// What random play-outs add up to; src/kletka/engines/playouts.py has the same.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kletka {

// The checksum mixes every move and every result in order.
struct Tally {
  static constexpr int kMostSeats = 4;

  std::array<std::uint64_t, kMostSeats + 1> results{};  // wins of each seat, then games that nobody won alone
  std::uint64_t checksum = 0;

  void mix(std::uint64_t value) { checksum = (std::rotl(checksum, 5) ^ value) * 0x9E3779B97F4A7C15u; }

  // A game ended: the seat that has won alone; the number of seats where none has.
  void ended(int result) {
    mix(kResults + static_cast<std::uint64_t>(result));
    ++results[static_cast<std::size_t>(result)];
  }

 private:
  static constexpr std::uint64_t kResults = 512;
};

}  // namespace kletka
