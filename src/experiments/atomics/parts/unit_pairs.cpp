#include "experiments/atomics/parts/unit_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace percycle {

std::uint32_t tournament_rounds(std::uint32_t units) { return units < 2 ? 0 : units + units % 2 - 1; }

std::vector<UnitPair> tournament_round(std::uint32_t units, std::uint32_t round) {
  // Seats on the circle. One more seat is fixed; with an odd number of units it is empty.
  const std::uint32_t circle = tournament_rounds(units);
  std::uint32_t step = std::max(circle * 5 / 8, 1u);
  while (std::gcd(step, circle) != 1) --step;
  const auto turn = static_cast<std::uint32_t>(std::uint64_t{round} * step % circle);
  std::vector<UnitPair> pairs;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    if (std::max(a, b) < units) pairs.emplace_back(std::min(a, b), std::max(a, b));
  };
  meet(circle, turn);
  for (std::uint32_t k = 1; k <= circle / 2; ++k) meet((turn + k) % circle, (turn + circle - k) % circle);
  return pairs;
}

}  // namespace percycle
