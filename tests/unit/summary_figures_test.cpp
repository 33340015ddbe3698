#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check_words.hpp"
#include "report/report_data.hpp"
#include "report/summary_figures.hpp"
#include "unit/store_examples.hpp"

namespace percycle::summary_figures_test {
namespace {

/// The summary's only figure of one point.
SummaryValue value_of(const std::string& experiment, Parameters parameters, const std::map<std::string, double>& medians) {
  LoadedFile file;
  file.headers = {examples::header()};
  PointRecord record;
  record.header = file.headers[0].id;
  record.result.point = {experiment, std::move(parameters)};
  Measurement& measurement = record.result.measurement.emplace();
  measurement.time_source = "device timer";
  measurement.samples.resize(3);
  for (const auto& [name, median] : medians) measurement.statistics[name] = {median, 0.01, median, median, 3};
  file.entries.emplace_back(std::move(record));
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  const std::vector<SummaryValue> values = summary_figures(data.devices.at(0));
  REQUIRE(values.size() == 1);
  return values[0];
}

std::string words_of(double ns) {
  const SummaryValue value = value_of("launch", {{"test", "dependent"}}, {{"ns_per_op", ns}});
  CHECK(value.line == "launches");
  CHECK(value.name == "dependent");
  return value.words;
}

TEST_CASE("summary: times have one decimal below 1000 ns and none from there on") {
  CHECK(words_of(22.14) == "22.1 ns");
  CHECK(words_of(999.4) == "999.4 ns");
  CHECK(words_of(4534.9) == "4535 ns");
  CHECK(words_of(19980.0) == "19980 ns");
}

TEST_CASE("summary: a sustained load has its steady rate, a sweep of intensities the highest rate of each level") {
  const auto sustained = [](const char* load, const char* rate, double steady) {
    return value_of("sustained", {{"load", load}, {"seconds", 3}},
                    {{rate, 2 * steady}, {std::string("steady_") + rate, steady}, {"bytes_per_unit_cycle", 12}});
  };
  const SummaryValue dram = sustained("dram", "gb_per_s", 900);
  CHECK(dram.line == "steady load");
  CHECK(dram.name == "dram");
  CHECK(dram.words == "900 GB/s");
  CHECK(sustained("fma", "gops_per_s", 33254).words == "33.25 Tops/s");
  const SummaryValue swept = value_of("intensity", {{"level", "l2"}, {"fmas", 64}},
                                      {{"gops_per_s", 23000}, {"gb_per_s", 1000}, {"bytes_per_unit_cycle", 12}});
  CHECK(swept.line == "intensity");
  CHECK(swept.name == "l2");
  CHECK(swept.words == "23 Tops/s");
}

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
