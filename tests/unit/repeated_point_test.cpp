#include "analysis/repeated_point.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace percycle::repeated_point_test {
namespace {

PointResult took(double ns, std::optional<double> fastest_ns) {
  PointResult result{Point{"latency", {}}, {}, Measurement{}};
  result.measurement->statistics["ns_per_op"].median = ns;
  if (fastest_ns) result.measurement->statistics["fastest_ns_per_op"].median = *fastest_ns;
  return result;
}

TEST_CASE("repeated point: the later result counts") {
  CHECK(later_counts(took(2, {}), took(3, {})));
  CHECK(later_counts(took(3, {}), took(2, {})));
}

TEST_CASE("repeated point: a CPU's faster result counts, the later one of equals") {
  CHECK(later_counts(took(2, 1.5), took(3, 1.4)));
  CHECK(!later_counts(took(3, 1.4), took(2, 1.5)));
  CHECK(later_counts(took(3, 1.4), took(2, 1.4)));
}

TEST_CASE("repeated point: a result without a fastest value is no reason to keep the earlier one") {
  CHECK(later_counts(took(2, 1.5), took(3, {})));
  CHECK(later_counts(took(2, {}), took(3, 1.5)));
  auto failed = took(1, 1);
  failed.outcome.status = Status::failed;
  CHECK(later_counts(took(2, 1.5), failed));
  CHECK(later_counts(failed, took(2, 1.5)));
  failed.measurement.reset();
  CHECK(later_counts(failed, took(2, 1.5)));
}

}  // namespace
}  // namespace percycle::repeated_point_test
