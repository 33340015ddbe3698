#include "report/run_summary.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "unit/store_examples.hpp"

namespace percycle::run_summary_test {
namespace {

/// The summary of a run whose `launch` points have these warnings.
std::string summary_of(const std::vector<std::vector<std::string>>& warnings) {
  LoadedFile file;
  file.headers = {examples::header()};
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    PointRecord record;
    record.header = file.headers[0].id;
    record.result.point = {"launch", {{"test", "dependent"}, {"groups", static_cast<std::int64_t>(i)}}};
    Measurement& measurement = record.result.measurement.emplace();
    measurement.time_source = "device timer";
    measurement.samples.resize(3);
    measurement.statistics["ns_per_op"] = {100, 0.01, 100, 100, 3};
    measurement.warnings = warnings[i];
    file.entries.emplace_back(std::move(record));
  }
  ReportCollector collector(limits_catalogue());
  collector.add(std::move(file));
  const ReportData data = collector.finish();
  return to_text(run_summary(data));
}

TEST_CASE("summary: every warning of a point counts, and the number at the head is that of the points") {
  const std::string text = summary_of({{"another process", "temperature of 80 C"}, {"temperature of 85 C"}, {}});
  CAPTURE(text);
  CHECK(text.find("\n  warnings     2 points: temperature of 80 to 85 C (2); another process (1)\n") != std::string::npos);
}

TEST_CASE("summary: reasons wrap within 80 columns, and none is cut") {
  std::vector<std::string> warnings;
  for (const char each : std::string("abcdefgh")) warnings.push_back(fmt::format("{} of a long warning", std::string(60, each)));
  const std::string text = summary_of({warnings, warnings});
  CAPTURE(text);
  std::string flat;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
    flat += line.substr(std::min(line.find_first_not_of(' '), line.size())) + ' ';
  }
  CHECK(flat.find(fmt::format("warnings     2 points: {} (2); {} (2); 6 more reasons", warnings[0], warnings[1])) !=
        std::string::npos);
}

}  // namespace
}  // namespace percycle::run_summary_test
