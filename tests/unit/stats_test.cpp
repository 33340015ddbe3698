#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "stats/summary.hpp"

namespace percycle::stats_test {
namespace {

using Series = std::vector<double>;

TEST_CASE("median: odd takes the middle value, even the mean of the two") {
  CHECK(median(Series{7}) == 7);
  CHECK(median(Series{9, 1, 5}) == 5);
  CHECK(median(Series{4, 1, 3, 2}) == 2.5);
  CHECK(median(Series{2, 2, 2, 9}) == 2);
  CHECK(median(Series{1e308, 1.5e308}) == 1.25e308);  // their sum overflows
}

TEST_CASE("mad: the median distance from the median, which an outlier does not move") {
  CHECK(mad(Series{7}) == 0);
  CHECK(mad(Series{1, 1, 2, 2, 4, 6, 9}) == 1);
  CHECK(mad(Series{1, 2, 3, 4}) == 1);
  CHECK(mad(Series{1, 2, 3, 4, 1e9}) == 1);
  CHECK(mad(Series{5, 5, 5, 1e9}) == 0);
}

TEST_CASE("summarise keeps everything of a series and leaves it alone") {
  const Series series{9, 1, 5, 3, 100};
  const Summary summary = summarise(series);
  CHECK(summary.median == 5);
  CHECK(summary.mad == 4);
  CHECK(summary.min == 1);
  CHECK(summary.max == 100);
  CHECK(summary.n == 5);
  CHECK(series == Series{9, 1, 5, 3, 100});
}

TEST_CASE("the relative MAD is a share of the median's size, and absent where that is 0") {
  CHECK(relative_mad({.median = 4, .mad = 1}) == 0.25);
  CHECK(relative_mad({.median = -4, .mad = 1}) == 0.25);
  CHECK_FALSE(relative_mad({.median = 0, .mad = 1}));
  CHECK_FALSE(relative_mad({.median = 4}));
}

TEST_CASE("no statistics of an empty series or of values that are no numbers") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Series& bad : {Series{}, Series{1, nan}, Series{infinity, 1}}) {
    CHECK_THROWS_AS(median(bad), std::invalid_argument);
    CHECK_THROWS_AS(mad(bad), std::invalid_argument);
    CHECK_THROWS_AS(summarise(bad), std::invalid_argument);
  }
}

TEST_CASE("median_error shrinks with the root of the number of values") {
  CHECK(median_error({.median = 5, .mad = 0, .min = 5, .max = 5, .n = 3}) == 0);
  CHECK(median_error({.median = 5, .mad = 1, .min = 0, .max = 9, .n = 1}) == doctest::Approx(1.8582).epsilon(1e-4));
  CHECK(median_error({.median = 5, .mad = 2, .min = 0, .max = 9, .n = 16}) == doctest::Approx(0.9291).epsilon(1e-4));
}

}  // namespace
}  // namespace percycle::stats_test
