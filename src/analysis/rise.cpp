#include "analysis/rise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

using Family = RiseShape::Family;

// A walk over F bytes in a cyclic order outgrows a cache or a TLB of Z bytes; x = F/Z, u = 1 - Z/F.

/// A share W (x - 1) of the sets holds W + 1 lines and always misses, the other sets never miss.
/// The miss share is (W + 1) (1 - 1/x), up to x = 1 + 1/W. Tree pseudo-LRU misses as often.
RiseShape lru(double ways) { return {Family::lru, ways, {{0, 0}, {1 / (ways + 1), 1}}}; }

/// The shapes below are tabulated at these x. Between them they are linear in u to within 0.005.
constexpr std::array<double, 9> kX{1.125, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6};
using Row = std::array<double, kX.size()>;

/// Many ways: with miss share m, a line survives the m x misses between two visits with probability
/// exp(-m x). The row solves 1 - m = exp(-m x).
constexpr Row kManyWays{0.214, 0.371, 0.583, 0.713, 0.797, 0.893, 0.940, 0.980, 0.997};
// Simulated sets in a cyclic walk, repeated by levels_test.cpp. Not-MRU of 2 ways is LRU; not-MRU
// of 16 ways is close to random replacement of 4.
constexpr Row kRandom2{0.222, 0.400, 0.667, 0.776, 0.857, 0.933, 0.968, 0.992, 0.999};
constexpr Row kRandom4{0.222, 0.400, 0.616, 0.742, 0.823, 0.911, 0.954, 0.986, 0.999};
constexpr Row kRandom8{0.222, 0.384, 0.597, 0.727, 0.809, 0.902, 0.947, 0.983, 0.998};
constexpr Row kNotMru4{0.278, 0.500, 0.720, 0.833, 0.897, 0.958, 0.982, 0.997, 1.000};
constexpr Row kNotMru8{0.250, 0.424, 0.644, 0.768, 0.845, 0.926, 0.963, 0.990, 0.999};

RiseShape random(const Row& row) {
  RiseShape shape{Family::random, 0, {{0, 0}}};
  for (std::size_t i = 0; i < kX.size(); ++i) shape.knots.push_back({1 - 1 / kX[i], row[i]});
  shape.knots.push_back({1, 1});
  return shape;
}

/// A page with v visits per lap misses with probability u^((v - 1) / v) (translation.hpp).
RiseShape tlb(double visits) {
  RiseShape shape{Family::tlb, 0, {{0, 0}}};
  for (const double u : {0.002, 0.01, 0.03, 0.08, 0.2, 0.45}) shape.knots.push_back({u, std::pow(u, (visits - 1) / visits)});
  shape.knots.push_back({1, 1});
  return shape;
}

/// Miss share of an LRU cache of W ways with random page colours. An access misses if W or more
/// other pages have its colour. Their number is Poisson distributed with mean W x.
double paged_share(double ways, double x) {
  const double mean = ways * x;
  double term = std::exp(-mean);
  double fewer = 0;
  for (double others = 0; others < ways; ++others) {
    fewer += term;
    term *= mean / (others + 1);
  }
  return 1 - fewer;
}

RiseShape paged(double ways) {
  double start = 1;
  while (paged_share(ways, start) > shape_thresholds.paged_onset) start *= 0.99;
  RiseShape shape{Family::paged, ways, {{0, 0}}, 1 / start};
  for (const double x : {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 2.0}) {
    if (x > start * 1.05) shape.knots.push_back({1 - start / x, paged_share(ways, x)});
  }
  shape.knots.push_back({1, 1});
  return shape;
}

}  // namespace

double RiseShape::share(double x) const {
  if (x <= 1) return 0;
  const double u = 1 - 1 / x;
  const auto right = std::find_if(knots.begin(), knots.end(), [&](const Knot& knot) { return knot.u > u; });
  if (right == knots.end()) return knots.back().share;
  const auto left = right - 1;
  return left->share + (u - left->u) / (right->u - left->u) * (right->share - left->share);
}

double RiseShape::end() const {
  const auto right =
      std::find_if(knots.begin(), knots.end(), [](const Knot& knot) { return knot.share > shape_thresholds.over; });
  const auto left = right - 1;
  return 1 / (1 - (left->u + (shape_thresholds.over - left->share) / (right->share - left->share) * (right->u - left->u)));
}

std::span<const RiseShape> edge_shapes() {
  static const std::vector<RiseShape> shapes{lru(1),           lru(2),           lru(3),           lru(4),
                                             lru(6),           lru(8),           lru(12),          lru(16),
                                             lru(32),          lru(1024),        random(kRandom2), random(kRandom4),
                                             random(kRandom8), random(kNotMru4), random(kNotMru8), random(kManyWays),
                                             paged(8),         paged(16)};
  return shapes;
}

std::span<const RiseShape> tlb_shapes() {
  static const std::vector<RiseShape> shapes{{Family::tlb, 0, {{0, 0}, {1, 1}}}, tlb(shape_thresholds.few_visits)};
  return shapes;
}

std::span<const RiseShape* const> coarse_shapes() {
  const auto edges = edge_shapes();
  static const std::array<const RiseShape*, 5> shapes{&edges[9], &edges[3], &edges[0], &edges[15], &tlb_shapes()[0]};
  return shapes;
}

}  // namespace percycle
