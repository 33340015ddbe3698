#include "experiments/unit_pairs.hpp"

#include <algorithm>

namespace percycle {

std::vector<UnitPair> spread_pairs(std::uint32_t units, std::uint64_t wanted) {
  std::vector<UnitPair> pairs;
  if (units < 2) return pairs;
  const std::uint32_t seats = units + units % 2;  // the last of an even number keeps its seat; of an odd number it is empty
  const std::uint32_t circle = seats - 1;         // rounds as well
  const std::uint64_t per_round = units / 2;
  const std::uint64_t rounds = wanted == 0 ? 1 : std::min<std::uint64_t>((wanted - 1) / per_round + 1, circle);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const auto round = static_cast<std::uint32_t>(i * circle / rounds);
    const auto meet = [&](std::uint32_t a, std::uint32_t b) {
      if (std::max(a, b) < units) pairs.emplace_back(std::min(a, b), std::max(a, b));
    };
    meet(circle, round);
    for (std::uint32_t k = 1; k < seats / 2; ++k) meet((round + k) % circle, (round + circle - k) % circle);
  }
  return pairs;
}

}  // namespace percycle
