#include "stats/settling.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace percycle::settling_test {
namespace {

/// One value a second, from 0 on.
std::vector<TimedValue> series(const std::vector<double>& values) {
  std::vector<TimedValue> timed;
  for (const double value : values) timed.push_back({static_cast<double>(timed.size()), value});
  return timed;
}

TEST_CASE("settled after: two odd samples next to each other do not count, three do") {
  CHECK(settled_after(series({100, 100, 100, 150, 150, 100, 100, 100, 100, 100, 100, 100})) == 0);
  CHECK(settled_after(series({100, 100, 150, 150, 150, 100, 100, 100, 100, 100, 100, 100})) == 4);
}

TEST_CASE("settled after: a change at the begin of the last third is too late") {
  CHECK(settled_after(series({150, 150, 150, 150, 150, 150, 100, 100, 100, 100})) == 5);
  CHECK_FALSE(settled_after(series({150, 150, 150, 150, 150, 150, 150, 100, 100, 100})));
  CHECK_FALSE(settled_after(series({100, 100, 100, 100, 100, 100, 100, 100})));
}

}  // namespace
}  // namespace percycle::settling_test
