#include "analysis/translation.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace percycle::translation_test {
namespace {

constexpr Translation kSmallPages{256 << 10, 4096, 100};

TEST_CASE("translation: pages within reach cost nothing, one node per visit nearly the full penalty beyond") {
  CHECK(translation_miss_share(kSmallPages, 256 << 10, 2048, 0) == 0);
  // 32 nodes of 128 bytes per page, each a separate visit.
  CHECK(translation_miss_share(kSmallPages, 512 << 10, 4096, 0) == doctest::Approx(std::pow(0.5, 31.0 / 32)));
}

TEST_CASE("translation: whole pages visited together miss once for all their nodes") {
  CHECK(translation_miss_share(kSmallPages, 1 << 20, 8192, 4096) == doctest::Approx(1.0 / 32));
  CHECK(translation_miss_share(kSmallPages, 1 << 20, 8192, 65536) == doctest::Approx(1.0 / 32));
  // Half a page: two visits, of 16 nodes each.
  CHECK(translation_miss_share(kSmallPages, 1 << 20, 8192, 2048) == doctest::Approx(std::sqrt(0.75) / 16));
}

TEST_CASE("translation: taken off a curve, except where a first cache serves the loads") {
  const std::vector<CurveSample> curve{{32 << 10, 30, 0, 4096}, {512 << 10, 203.125, 0, 4096}};
  const auto all = without_translation(curve, std::vector{kSmallPages}, 128, nullptr);
  CHECK(all[0].value == 30);
  CHECK(all[1].value == doctest::Approx(200));
  const Rise behind{.shape = &edge_shapes().front(), .onset = 1 << 20};
  CHECK(without_translation(curve, std::vector{kSmallPages}, 128, &behind)[1].value == doctest::Approx(203.125));
}

}  // namespace
}  // namespace percycle::translation_test
