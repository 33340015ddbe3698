#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "report/key_figures_text.hpp"
#include "report/run_spread.hpp"
#include "unit/store_examples.hpp"

namespace percycle::stated_range_test {
namespace {

/// A device with one point of this experiment.
ReportDevice device_of(Api api, Source source, const std::string& experiment, PointRow row) {
  ReportDevice device;
  device.source = source;
  device.runs.push_back({examples::header(), "", ""});
  device.runs[0].header.device.api = api;
  device.experiments[experiment].push_back(std::move(row));
  return device;
}

PointRow launch_row(double ns, double mad_percent = 0) {
  PointRow row;
  row.parameters = {{"test", "round-trip"}};
  row.figures = {{figures::kNsPerOp, ns}, {figures::kMadPercent, mad_percent}};
  return row;
}

/// "launch round trip, us: 10.2-14.1" of the only row.
std::string words_of(const ReportDevice& device) {
  const KeyFigures figures = key_figures({{"card", {&device}}});
  for (const KeyRow& row : figures.rows) {
    if (row.name != "units") return key_label(row) + ": " + key_value_words(row, row.cells[0].value.value());
  }
  return "none";
}

TEST_CASE("stated range: a figure that differs between runs is the range of other runs, by API") {
  CHECK(words_of(device_of(Api::opencl, Source::measured, "launch", launch_row(12000))) == "round trip, us: 10.2-14.1");
  CHECK(words_of(device_of(Api::vulkan, Source::measured, "launch", launch_row(50000))) == "round trip, us: 30-83.3");
  CHECK(words_of(device_of(Api::opencl, Source::measured, "launch", launch_row(2000))) == "round trip, ns: 1696-2358");
}

TEST_CASE("stated range: neither a simulated device nor a document has the spread between runs") {
  for (const Source source : {Source::simulated, Source::published})
    CHECK(words_of(device_of(Api::opencl, source, "launch", launch_row(12000))) == "round trip, us: 12");
}

TEST_CASE("stated range: samples that spread more than runs widen the range") {
  CHECK(words_of(device_of(Api::opencl, Source::measured, "launch", launch_row(12000, 20))) == "round trip, us: 10-14.4");
}

TEST_CASE("stated range: hand-overs in local memory are single values, the middle of many pairs is one, too") {
  PointRow row;
  row.parameters = {{"between", "subgroups"}, {"memory", "local"}};
  row.figures = {{figures::kNsPerOp, 22.1}};
  CHECK(words_of(device_of(Api::opencl, Source::measured, "atomic-handover", row)) == "hand-over, local, ns: 22.1");
  row.parameters = {{"first_unit", std::int64_t{0}}, {"second_unit", std::int64_t{1}}};
  ReportDevice device = device_of(Api::opencl, Source::measured, "atomic-heatmap", row);
  row.parameters["second_unit"] = std::int64_t{2};
  row.figures[std::string(figures::kNsPerOp)] = 25.0;
  device.experiments["atomic-heatmap"].push_back(row);
  row.parameters["second_unit"] = std::int64_t{3};
  device.experiments["atomic-heatmap"].push_back(row);
  CHECK(words_of(device) == "hand-over, units, ns: 25");
}

TEST_CASE("stated range: bounds within 5 percent are one value") {
  CHECK(!stated_range(100, 105));
  REQUIRE(stated_range(100, 105.1));
  CHECK(!stated_range(0, 10));
}

TEST_CASE("stated range: sizes name their unit once; a range that is too wide for its column becomes ~") {
  KeyRow row{"L2 size", kSizeFigure, "", Direction::neither, {}, ""};
  KeyValue value{.value = 22e6, .range = StatedRange{21 << 20, 24 << 20}};
  CHECK(key_value_words(row, value) == "21-24 MiB");
  value.range = StatedRange{900 << 10, 2 << 20};
  CHECK(key_value_words(row, value) == "900 KiB-2 MiB");
  value.value = 1 << 20;
  row.cells = {KeyCell{.value = value}, KeyCell{.value = value}};
  const std::string narrow = to_text({{"A", "B"}, {row}}, 40, 10);
  CHECK(narrow.find("~1 MiB") != std::string::npos);
  CHECK(narrow.find("900") == std::string::npos);
  CHECK(to_text({{"A", "B"}, {row}}, 60, 10).find(" 900 KiB-2 MiB") != std::string::npos);
}

}  // namespace
}  // namespace percycle::stated_range_test
