#include "analysis/walked_together.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace percycle::walked_together_test {
namespace {

/// Walks from 256 KiB to 256 MiB, four to an octave: 100 cycles, and so many more from a size on,
/// in random order and with neighbours together.
PathCurves walks(double from, double random, double together) {
  PathCurves curves;
  curves.stride_bytes = 128;
  for (int step = 0; step <= 40; ++step) {
    const double bytes = 0x1p18 * std::exp2(step / 4.0);
    const double share = bytes > from ? 1 : 0;
    curves.random.push_back({bytes, 100 + share * random, 0});
    curves.local.push_back({bytes, 100 + share * together, 0});
    curves.local.back().together_bytes = 4096;
  }
  return curves;
}

TEST_CASE("walked together: an edge that random order does not show is none of a cache") {
  CurveLevel level;
  level.size = level.size_low = level.size_high = level.edge_end = 0x1p22;
  CHECK_FALSE(rises_only_together(walks(0x1p22, 50, 50), level));
  CHECK_FALSE(rises_only_together(walks(0x1p22, 150, 50), level));
  CHECK_FALSE(rises_only_together(walks(0x1p22, 26, 50), level));
  CHECK(rises_only_together(walks(0x1p22, 24, 50), level));
  // An edge of both walks lies an octave before it.
  auto two = walks(0x1p22, 0, 50);
  for (auto* curve : {&two.random, &two.local}) {
    for (auto& sample : *curve) sample.value += sample.bytes > 0x1p21 * 1.3 ? 100 : 0;
  }
  CHECK(rises_only_together(two, level));
  // It ends an octave later in random order.
  auto broad = walks(0x1p22, 50, 50);
  for (auto& sample : broad.random) sample.value -= sample.bytes > 0x1p22 && sample.bytes < 0x1p23 ? 40 : 0;
  CHECK_FALSE(rises_only_together(broad, level));
  auto alone = walks(0x1p22, 0, 50);
  alone.local.clear();
  CHECK_FALSE(rises_only_together(alone, level));
}

TEST_CASE("walked together: random order bounds the translation of neighbours by its pages") {
  // From 4 MiB on; 128 entries of a first TLB would reach as far with pages of 37 KiB.
  const double page = std::exp2(22.25) / 128;
  CHECK(most_translation(walks(0x1p22, 320, 0), {}, 0x1p28) == doctest::Approx(320 * 128 / page));
  CHECK(most_translation(walks(0x1p22, 320, 0), {}, 0x1p22) == 0);
  CHECK(most_translation(walks(0x1p22, 320, 320), {}, 0x1p28) == 0);
  CHECK(most_translation(walks(0x1p17, 320, 0), {}, 0x1p28) == doctest::Approx(320 * 128 / 4096.0));
  CHECK(most_translation(walks(0x1p26, 320, 0), {}, 0x1p28) == doctest::Approx(320 * 128 / 65536.0));
}

TEST_CASE("walked together: a counted TLB of large pages explains why random order is slower") {
  auto curves = walks(0x1p28, 0, 0);
  for (auto& sample : curves.random) sample.value += 320 * std::max(0.0, 1 - 0x1p20 / sample.bytes);
  const std::vector<Translation> large{{.reach = 0x1p20, .page = 0x1p16, .penalty = 320}};
  const std::vector<Translation> small{{.reach = 0x1p20, .page = 0x1p12, .penalty = 320}};
  CHECK(most_translation(curves, large, 0x1p28) < 1);
  CHECK(most_translation(curves, small, 0x1p28) > 2);
}

}  // namespace
}  // namespace percycle::walked_together_test
