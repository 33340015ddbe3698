#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "report/report_data.hpp"
#include "report/summary_figures.hpp"
#include "unit/store_examples.hpp"

namespace percycle::summary_figures_test {
namespace {

/// The summary's words for one `launch` point of that many nanoseconds.
std::string words_of(double ns) {
  LoadedFile file;
  file.headers = {examples::header()};
  PointRecord record;
  record.header = file.headers[0].id;
  record.result.point = {"launch", {{"test", "dependent"}}};
  Measurement& measurement = record.result.measurement.emplace();
  measurement.time_source = "device timer";
  measurement.samples.resize(3);
  measurement.statistics["ns_per_op"] = {ns, 0.01, ns, ns, 3};
  file.entries.emplace_back(std::move(record));
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  const std::vector<SummaryValue> values = summary_figures(data.devices.at(0));
  REQUIRE(values.size() == 1);
  CHECK(values[0].line == "launches");
  CHECK(values[0].name == "dependent");
  return values[0].words;
}

TEST_CASE("summary: times have one decimal below 1000 ns and none from there on") {
  CHECK(words_of(22.14) == "22.1 ns");
  CHECK(words_of(999.4) == "999.4 ns");
  CHECK(words_of(4534.9) == "4535 ns");
  CHECK(words_of(19980.0) == "19980 ns");
}

TEST_CASE("summary: the clock is the median, with its range if that is wide") {
  ReportDevice device;
  CHECK(clock_words(device).empty());
  for (const double mhz : {1590.0, 1600.0, 1590.0}) device.clocks.push_back({.clock_mhz = mhz});
  CHECK(clock_words(device) == "1590 MHz");
  device.clocks.push_back({.clock_mhz = 2371, .power_w = 212});
  device.clocks.push_back({.clock_mhz = 20, .power_w = 75});
  CHECK(clock_words(device) == "1590 MHz (median of all points; 20 to 2371 MHz); up to 212 W");
}

}  // namespace
}  // namespace percycle::summary_figures_test
