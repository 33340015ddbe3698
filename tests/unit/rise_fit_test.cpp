#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "analysis/rise_fit.hpp"
#include "analysis/thresholds.hpp"

namespace percycle::rise_fit_test {
namespace {

CurvePlace place(double bytes, double value, double sigma) {
  return {.bytes = bytes, .value = value, .sigma = sigma, .own = sigma, .slope = 0};
}

constexpr double kEdge = 32 * 1024;

/// 30 cycles, 170 more beyond 32 KiB, 100 more for a TLB of 4 MiB: sixteen places per octave.
std::vector<CurvePlace> edge_and_tlb(double sigma) {
  std::vector<CurvePlace> places;
  for (double bytes = 4096; bytes < 64 << 20; bytes *= std::exp2(1.0 / 16)) {
    const double edge = coarse_shapes()[0]->share(bytes / kEdge);
    const double tlb = tlb_shapes().front().share(bytes / (4 << 20));
    places.push_back(place(bytes, 30 + 170 * edge + 100 * tlb, sigma));
  }
  return places;
}

TEST_CASE("rise fit: one place more than its parameters leaves one degree of freedom, not two") {
  // Two places differ by three standard deviations, which is no rise.
  const auto model = fit_rises(std::vector{place(4096, 98.5, 1), place(8192, 101.5, 1)});
  CHECK(model.rises.empty());
  CHECK(model.base == doctest::Approx(100));
  CHECK(model.chi_square == doctest::Approx(4.5));
  CHECK(model.excess == doctest::Approx(4.5));
}

TEST_CASE("rise fit: a TLB far from any edge needs no more evidence than an edge") {
  REQUIRE(coarse_shapes()[0]->kind != RiseShape::Family::tlb);
  bool between = false;
  for (const double sigma : {10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0}) {
    CAPTURE(sigma);
    const auto model = fit_rises(edge_and_tlb(sigma));
    for (const Rise& rise : model.rises) {
      if (rise.is_edge()) continue;
      CHECK(rise.onset > kEdge * rise_thresholds.beside_edge);
      between = between || rise.gain < rise_thresholds.beside_edge_gains * rise_thresholds.least_gain;
    }
  }
  CHECK(between);
}

}  // namespace
}  // namespace percycle::rise_fit_test
