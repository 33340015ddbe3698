#include "report/row_notes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/provenance.hpp"
#include "report/experiment_table.hpp"
#include "report/report_data.hpp"
#include "unit/store_examples.hpp"

namespace percycle::clock_neighbours_test {
namespace {

PointRow row(double mhz, Provenance provenance = Provenance::telemetry) {
  PointRow row;
  row.figures.emplace("clock_mhz", mhz);
  row.figures.emplace("clock", std::string(to_string(provenance)));
  return row;
}

/// The notes of all rows, one entry per row.
std::vector<std::string> notes(std::vector<PointRow> rows) {
  std::vector<PointRow*> pointers;
  for (PointRow& each : rows) pointers.push_back(&each);
  add_row_notes(pointers);
  std::vector<std::string> all;
  for (const PointRow& each : rows) all.push_back(each.notes.empty() ? "" : each.notes.front().text);
  return all;
}

TEST_CASE("only a clock that differs from its neighbours by more than 5 % is noted") {
  CHECK_WORDS("clock-neighbours.two-slow-points", notes({row(1185), row(1185), row(1980), row(1980), row(1980), row(1980)}));
  CHECK_WORDS("clock-neighbours.slightly-high", notes({row(1000), row(1000), row(1051), row(1000)})[2]);
  CHECK(notes({row(1000), row(1000), row(1049), row(1000)})[2].empty());
}

TEST_CASE("an unmeasured clock, a failed point and a single neighbour are no evidence") {
  CHECK(notes({row(1000), row(2000)}) == std::vector<std::string>{"", ""});
  CHECK(notes({row(1000), row(2000, Provenance::reported), row(1000), row(1000)})[1].empty());
  PointRow failed = row(2000);
  failed.reason = "failed: lost";
  CHECK(notes({row(1000), failed, row(1000), row(1000)})[1].empty());
  CHECK_WORDS("clock-neighbours.high",
              notes({row(1000), row(1000, Provenance::measured_in_kernel), row(1500, Provenance::calibrated_chain)})[2]);
}

TEST_CASE("a device that rests between operations has no clock to compare") {
  Presentation resting;
  resting.loads_device = false;
  std::vector<PointRow> rows{row(1185), row(1980), row(1980), row(1980)};
  for (PointRow& each : rows) each.about = &resting;
  CHECK(notes(rows) == std::vector<std::string>(4));
}

TEST_CASE("show and report note a clock that is off its neighbours'") {
  constexpr const char* kNote = "the clock was 1185 MHz, at the points measured before and after it 1980 MHz (-40.2 %)";
  const Header header = examples::header();
  LoadedFile file;
  file.headers = {header};
  std::vector<PointResult> results;
  for (int i = 0; i < 4; ++i) {
    PointRecord record = examples::ok(1024 << i, 2);
    record.header = header.id;
    record.result.measurement->clock_mhz = Sourced<double>{i == 1 ? 1185.0 : 1980.0, Provenance::telemetry};
    results.push_back(record.result);
    file.entries.emplace_back(std::move(record));
  }
  std::vector<const PointResult*> pointers;
  for (const PointResult& each : results) pointers.push_back(&each);
  CHECK(experiment_table("latency", pointers, header, {}, TableWidth::narrow).find(kNote) != std::string::npos);

  ReportCollector collector(limits_catalogue());
  collector.add(file);
  const ReportData data = collector.finish();
  const auto& rows = data.devices.at(0).experiments.at("latency");
  REQUIRE(rows.size() == 4);
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK((std::ranges::count(rows[i].notes, kNote, &Note::text) == 1) == (i == 1));
}

}  // namespace
}  // namespace percycle::clock_neighbours_test
