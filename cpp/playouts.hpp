// What random play-outs of a game for two add up to; src/kletka/engines/playouts.py has the same.
#pragma once

#include <bit>
#include <cstdint>

namespace kletka {

// The checksum mixes every move and every result in order.
struct Tally {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t draws = 0;
  std::uint64_t checksum = 0;

  void mix(std::uint64_t value) { checksum = (std::rotl(checksum, 5) ^ value) * 0x9E3779B97F4A7C15u; }

  // A game ended: 0 or 1, that side has won; 2, a draw.
  void ended(int result) {
    mix(kResults + static_cast<std::uint64_t>(result));
    first += result == 0;
    second += result == 1;
    draws += result == 2;
  }

 private:
  static constexpr std::uint64_t kResults = 512;
};

}  // namespace kletka
