#include "analysis/rise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percycle {
namespace {

constexpr std::size_t kTable = 1024;

/// The m > 0 with 1 - m = exp(-m x), x = 1 / (1 - u), by Newton's method from above, where it converges monotonically.
double solve_many_ways(double u) {
  if (u <= 0) return 0;
  if (u >= 1) return 1;
  const double x = 1 / (1 - u);
  double miss = 1;
  for (int step = 0; step < 100; ++step) {
    const double survive = std::exp(-miss * x);
    const double next = miss - (miss - 1 + survive) / (1 - x * survive);
    if (std::abs(next - miss) < 1e-12) break;
    miss = next;
  }
  return miss;
}

/// The same from a table over u: the search for edges asks millions of times.
double many_ways(double u) {
  static const auto table = [] {
    std::array<double, kTable + 1> values{};
    for (std::size_t i = 0; i <= kTable; ++i) values[i] = solve_many_ways(static_cast<double>(i) / kTable);
    return values;
  }();
  const double place = u * kTable;
  const auto below = std::min(static_cast<std::size_t>(place), kTable - 1);
  const double share = place - static_cast<double>(below);
  return table[below] + share * (table[below + 1] - table[below]);
}

}  // namespace

double rise_share(const RiseShape& shape, double x) {
  if (x <= 1) return 0;
  const double u = 1 - 1 / x;
  switch (shape.kind) {
    case RiseShape::Kind::tlb:
      return u;
    case RiseShape::Kind::lru:
      return std::min(1.0, (shape.ways + 1) * u);
    case RiseShape::Kind::random:
      return (1 - shape.few) * many_ways(u) + shape.few * std::min(1.0, 3 * u);
  }
  return 0;
}

double rise_end(const RiseShape& shape) {
  constexpr double kOver = 0.95;
  double low = 1;
  double high = 1 / (1 - kOver);  // where the broadest, a TLB's, gets there
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (rise_share(shape, middle) < kOver ? low : high) = middle;
  }
  return high;
}

std::span<const RiseShape> edge_shapes() {
  using Kind = RiseShape::Kind;
  static constexpr std::array<RiseShape, 13> kShapes{{{Kind::lru, 1},
                                                      {Kind::lru, 2},
                                                      {Kind::lru, 3},
                                                      {Kind::lru, 4},
                                                      {Kind::lru, 6},
                                                      {Kind::lru, 8},
                                                      {Kind::lru, 12},
                                                      {Kind::lru, 16},
                                                      {Kind::lru, 32},
                                                      {Kind::lru, 1024},
                                                      {Kind::random, 1, 0.0},
                                                      {Kind::random, 1, 0.2},
                                                      {Kind::random, 1, 0.4}}};
  return kShapes;
}

}  // namespace percycle
