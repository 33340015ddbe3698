#include <doctest/doctest.h>

#include <vector>

#include "measure/protocol.hpp"
#include "measure/stopping_rule.hpp"

namespace percycle::stopping_rule_test {
namespace {

using Series = std::vector<double>;

TEST_CASE("a quiet series is enough at the smallest number of samples, not before") {
  const StoppingRule rule{.min_samples = 3, .max_samples = 10, .relative_error = 0.01};
  CHECK_FALSE(rule.enough(Series{}));
  CHECK_FALSE(rule.enough(Series{100, 100}));
  CHECK(rule.enough(Series{100, 100, 100}));
}

TEST_CASE("a noisy series goes on until the error of its median is small") {
  const StoppingRule rule{.min_samples = 4, .max_samples = 100, .relative_error = 0.01};
  // A deviation of 1 is an error of 1.2533 * 1.4826 / sqrt(n): 0.93 for four, 0.83 for five.
  CHECK(rule.enough(Series{99, 99, 101, 101}));
  CHECK_FALSE(rule.enough(Series{9.8, 9.9, 10.1, 10.2}));  // a share, not a distance: 1.4 %
  Series series;
  for (int i = 0; i < 7; ++i) series.insert(series.end(), {98, 102});
  CHECK(rule.enough(series));                                   // 0.993
  CHECK_FALSE(rule.enough(Series{90, 99.9, 100, 100.1, 110}));  // three agree by chance
  series.resize(12);
  CHECK_FALSE(rule.enough(series));  // 1.073
}

TEST_CASE("a series that never settles stops at the largest number of samples") {
  const StoppingRule rule{.min_samples = 3, .max_samples = 6, .relative_error = 0.01};
  CHECK_FALSE(rule.enough(Series{1, 9, 1, 9, 5}));
  CHECK(rule.enough(Series{1, 9, 1, 9, 5, 7}));
  CHECK(rule.enough(Series{1, 9, 1, 9, 5, 7, 3}));
}

TEST_CASE("an outlier alone keeps nothing going") {
  const StoppingRule rule{.min_samples = 5, .max_samples = 15, .relative_error = 0.003};
  CHECK(rule.enough(Series{100, 100, 100.1, 100, 5000}));
}

TEST_CASE("where a typical point scatters few samples that agree are not enough, and more are allowed") {
  const StoppingRule rule{.min_samples = 5, .max_samples = 200, .relative_error = 0.0025};
  const Series lucky(5, 100.0);
  CHECK(rule.enough(lucky));
  CHECK(rule.where_typical(0).enough(lucky));
  CHECK(rule.where_typical(0.0003).enough(lucky));  // an H200
  // Half of 3.4 %, the MAD of 5 % noise: an error of 0.25 % takes (1.858 * 1.7 / 0.25)^2 = 160
  // samples.
  const auto noisy = rule.where_typical(0.034);
  CHECK_FALSE(noisy.enough(lucky));
  CHECK_FALSE(noisy.enough(Series(159, 100.0)));
  CHECK(noisy.enough(Series(160, 100.0)));
  // The full MAD: 639.
  CHECK(noisy.max_samples == 639);
  CHECK(rule.where_typical(0.01).max_samples == 200);
  CHECK(rule.where_typical(0.3).max_samples == 800);
  CHECK(noisy.min_samples == 5);
}

TEST_CASE("how a device's points scatter is the median of them, once there are five of three samples") {
  TypicalScatter scatter;
  for (int i = 0; i < 4; ++i) scatter.add(Series{98, 99, 100, 101, 102});
  scatter.add(Series{50, 150});
  CHECK(scatter.relative_mad() == 0);
  scatter.add(Series{60, 80, 100, 120, 140});
  CHECK(scatter.relative_mad() == doctest::Approx(0.01));
}

TEST_CASE("quick takes three samples, on a device that scatters up to twelve; the others need quiet ones") {
  const auto quick = protocol_for(Preset::quick).stopping;
  CHECK_FALSE(quick.enough(Series{1, 2}));
  CHECK(quick.enough(Series{1, 2, 3}));
  CHECK(quick.where_typical(0.001).max_samples == 3);
  CHECK_FALSE(quick.where_typical(0.03).enough(Series{1, 2, 3}));
  CHECK(quick.where_typical(0.03).max_samples == 12);
  for (const Preset preset : {Preset::standard, Preset::full}) {
    const auto rule = protocol_for(preset).stopping;
    Series series;
    while (series.size() < rule.min_samples) series.push_back(static_cast<double>(series.size() + 1));
    CHECK_FALSE(rule.enough(series));
    CHECK(rule.enough(Series(rule.min_samples, 4.0)));
    CHECK_FALSE(rule.enough(Series(rule.min_samples - 1, 4.0)));
  }
  CHECK(protocol_for(Preset::standard).stopping.min_samples > quick.min_samples);
  CHECK(protocol_for(Preset::full).stopping.min_samples > protocol_for(Preset::standard).stopping.min_samples);
}

}  // namespace
}  // namespace percycle::stopping_rule_test
