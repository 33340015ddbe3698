#include <doctest/doctest.h>

#include "check_words.hpp"
#include "report/report_data.hpp"
#include "report/summary_figures.hpp"
#include "unit/store_examples.hpp"

namespace percycle::summary_figures_test {
namespace {

TEST_CASE("summary: the power is the highest of all readings since the first") {
  LoadedFile file;
  file.headers = {examples::header()};
  PointRecord record = examples::ok(1024, 2);
  record.result.measurement->clock_mhz.reset();
  record.result.measurement->telemetry.clear();
  const auto reading = [&](double ns, double power_w) {
    record.result.measurement->telemetry.push_back({ns, {.clock_mhz = 1000, .power_w = power_w}});
  };
  reading(0, 400);
  reading(1e8, 300);
  reading(2e8, 200);
  reading(3e8, 150);
  file.entries.emplace_back(std::move(record));
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  CHECK_WORDS("summary.clock", clock_words(collector.finish().devices.at(0)));
}

TEST_CASE("summary: the clock is the median, with its range if that is wide") {
  ReportDevice device;
  CHECK(clock_words(device).empty());
  for (const double mhz : {1590.0, 1600.0, 1590.0}) device.clocks.push_back({.clock_mhz = mhz});
  CHECK(clock_words(device) == "1590 MHz");
  device.clocks.push_back({.clock_mhz = 2371});
  device.clocks.push_back({.clock_mhz = 20});
  device.highest_w = 212;
  CHECK_WORDS("summary.clock-range", clock_words(device));
}

}  // namespace
}  // namespace percycle::summary_figures_test
