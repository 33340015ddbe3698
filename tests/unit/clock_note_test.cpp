#include "report/clock_note.hpp"

#include <doctest/doctest.h>

#include "check_words.hpp"
#include "report/pair_map.hpp"
#include "report/show.hpp"
#include "unit/store_examples.hpp"

namespace percycle::clock_note_test {
namespace {

Measurement clocks(std::vector<Sourced<double>> known) {
  Measurement measurement;
  measurement.time_source = "device timer";
  measurement.statistics["ns_per_op"] = {100, 0, 100, 100, 5};
  measurement.clock_mhz = known.front();
  measurement.clocks_mhz = std::move(known);
  return measurement;
}

Measurement counted_and_told(double counted, double telemetry) {
  return clocks({{counted, Provenance::measured_in_kernel}, {telemetry, Provenance::telemetry}, {1000, Provenance::reported}});
}

TEST_CASE("clock note: telemetry more than 2 % from the kernel's count, either way") {
  CHECK(clock_note(counted_and_told(2000, 1961)).empty());
  CHECK(clock_note(counted_and_told(2000, 2039)).empty());
  CHECK_WORDS("clock-note.low-telemetry", clock_note(counted_and_told(2000, 1950)));
  CHECK_WORDS("clock-note.high-telemetry", clock_note(counted_and_told(1290, 1780)));
}

TEST_CASE("clock note: telemetry of more than a second does not lag") {
  Measurement measurement = counted_and_told(1840, 1980);
  measurement.telemetry = {{0, {}}, {1e9, {}}};
  CHECK_WORDS("clock-note.recent-telemetry", clock_note(measurement));
  measurement.telemetry.push_back({1.1e9, {}});
  CHECK_WORDS("clock-note.reliable-telemetry", clock_note(measurement));
}

TEST_CASE("clock note: none without both clocks, however far another is") {
  CHECK(clock_note(Measurement{}).empty());
  CHECK(clock_note(clocks({{2000, Provenance::measured_in_kernel}, {1000, Provenance::reported}})).empty());
  CHECK(clock_note(clocks({{2000, Provenance::telemetry}, {1000, Provenance::reported}})).empty());
}

TEST_CASE("clock note: show has it below the table, of the points that it is of") {
  LoadedFile file;
  file.headers = {examples::header()};
  const auto add = [&](std::int64_t footprint, double telemetry, Status status) {
    PointRecord record{"0123456789abcdef", {examples::point(footprint), {status, ""}, counted_and_told(1980, telemetry)}};
    file.entries.push_back(std::move(record));
  };
  add(1024, 1980, Status::ok);
  add(2048, 1230, Status::ok);
  add(4096, 600, Status::invalid);
  const std::string text = show(file, limits_catalogue());
  CAPTURE(text);
  CHECK_WORDS("clock-note.footnote", line_with(text, "  [1] the"));
  CHECK(text.find("[2]") == std::string::npos);
}

TEST_CASE("clock note: a map of pairs has one line for all of its pairs") {
  std::vector<PointResult> results;
  for (const double telemetry : {1980.0, 1900.0, 1230.0}) {
    const auto pair = static_cast<std::int64_t>(results.size());
    results.push_back(
        {{"atomic-heatmap", {{"first_unit", pair}, {"second_unit", pair + 1}}}, {}, counted_and_told(1980, telemetry)});
  }
  const std::string text = pair_map("atomic-heatmap", {&results[0], &results[1], &results[2]});
  CAPTURE(text);
  CHECK_WORDS("clock-note.pairs", line_with(text, "clocks of"));
  CHECK(pair_map("atomic-heatmap", {&results[0]}).find("clocks") == std::string::npos);
}

}  // namespace
}  // namespace percycle::clock_note_test
