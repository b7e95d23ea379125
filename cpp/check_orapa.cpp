// Orapa Mine for a build with sanitizers: waves of random mines, and games in which what is deduced always holds the
// mine, whatever the gems, the answers and the nodes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bits.hpp"
#include "orapa.hpp"
#include "orapa_deduce.hpp"
#include "search.hpp"

namespace {

using namespace kletka;
using namespace kletka::orapa;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

void waves(const Rules& rules, std::uint64_t seed) {
  SplitMix64 random(seed);
  for (int number = 0; number < 300; ++number) {
    const Mine mine = rules.random(random);
    expect(rules.legal(mine), "random mines are legal");
    const Filled filled = rules.fill(mine);
    std::array<Wave, kPorts> all;
    rules.trace_all(filled, all);
    for (int port = 0; port < kPorts; ++port) {
      expect(all[port] == rules.trace(filled, port), "the way back is the way there");
      expect(all[port].exit < 0 || all[all[port].exit].exit == port, "ports go in pairs");
    }
  }
}

Asked wave_of(const Rules& rules, const Filled& filled, int port, bool bounces) {
  const Wave wave = rules.trace(filled, port);
  return {true, port, wave.exit, wave.exit < 0 ? 0 : bounces ? wave.bounces : wave.colours};
}

bool agrees(const Rules& rules, const Mine& mine, const std::vector<Asked>& asked, bool bounces) {
  const Filled filled = rules.fill(mine);
  return rules.legal(mine) && std::all_of(asked.begin(), asked.end(), [&](const Asked& question) {
           if (!question.wave) return rules.ask(filled, question.at) == question.told;
           const Asked again = wave_of(rules, filled, question.at, bounces);
           return again.exit == question.exit && again.told == question.told;
         });
}

void deduce(const Rules& rules, bool bounces, std::uint64_t seed) {
  SplitMix64 random(seed);
  for (int game = 0; game < 2; ++game) {
    const Mine mine = rules.random(random);
    const Filled filled = rules.fill(mine);
    std::vector<Asked> asked;
    for (int question = 0; question < 12; ++question) {
      for (const std::uint64_t nodes : {1, 60, 4'000}) {
        Watch watch(nodes, nullptr, {});
        const Deduced found = Deducer(rules, bounces, asked, {}, random.next(), watch).run(20, 500);
        for (const Mine& other : found.mines) expect(agrees(rules, other, asked, bounces), "a mine agrees with the answers");
        const bool held = std::find(found.mines.begin(), found.mines.end(), mine) != found.mines.end();
        expect(!found.complete || held, "a complete list holds the mine");
        expect(gains(rules, bounces, found.mines).size() == kPorts + kCells, "all questions are judged");
        if (!found.complete) continue;
        Watch again(1'000'000, nullptr, {});
        const Deduced rest = Deducer(rules, bounces, asked, {mine}, 1, again).run(20, 500);
        expect(rest.complete && rest.mines.size() + 1 == found.mines.size(), "an excluded mine is left out");
      }
      if (random.below(3) == 0) {
        const int cell = static_cast<int>(random.below(kCells));
        asked.push_back({false, cell, -1, rules.ask(filled, cell)});
      } else {
        asked.push_back(wave_of(rules, filled, static_cast<int>(random.below(kPorts)), bounces));
      }
    }
  }
}

}  // namespace

void check_orapa() {
  std::uint64_t seed = 1;
  for (const Whites whites : {Whites::not_centred, Whites::free, Whites::no_common_axis})
    for (const std::string_view gems : {"RYBWS", "RYBWSD", "RYBWSK", "RYBWSDK"}) {
      const Rules rules(gems, whites);
      waves(rules, ++seed);
      for (const bool bounces : {false, true}) deduce(rules, bounces, ++seed);
    }
}
