#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "report/report_choice.hpp"
#include "unit/store_examples.hpp"

namespace percycle::report_choice_test {
namespace {

PointRecord point_of(const std::string& header, const std::string& experiment) {
  PointRecord record;
  record.header = header;
  record.result.point.experiment = experiment;
  return record;
}

/// Two devices; each measured the latency, the first also "tlb", which it began again.
LoadedFile two_devices() {
  LoadedFile file;
  file.headers = {examples::header("1"), examples::header("2")};
  file.headers[1].device.name = "Another Card";
  file.entries = {point_of("1", "latency"), point_of("1", "tlb"), Started{"1", {"tlb", {}}}, point_of("2", "latency")};
  return file;
}

std::pair<std::size_t, std::size_t> kept(std::vector<std::string> experiments, std::vector<std::string> devices) {
  LoadedFile file = two_devices();
  ReportChoice choice(std::move(experiments), std::move(devices));
  choice.keep(file);
  choice.check();
  return {file.headers.size(), file.entries.size()};
}

using Sizes = std::pair<std::size_t, std::size_t>;

TEST_CASE("choice of a report: experiments, parts of devices' names, both; without one all stays") {
  CHECK(kept({}, {}) == Sizes(2, 4));
  CHECK(kept({"tlb"}, {}) == Sizes(1, 2));
  CHECK(kept({"latency", "tlb"}, {}) == Sizes(2, 4));
  CHECK(kept({}, {"some gpu"}) == Sizes(1, 3));
  CHECK(kept({}, {"CARD", "gpu"}) == Sizes(2, 4));
  CHECK(kept({"tlb"}, {"card"}) == Sizes(0, 0));
}

TEST_CASE("choice of a report: a name that no file has is an error with those that are there") {
  CHECK_THROWS_WORDS("report-choice.no-experiment", UsageError, kept({"latncy"}, {}));
  CHECK_THROWS_WORDS("report-choice.no-device", UsageError, kept({}, {"arc"}));
}

}  // namespace
}  // namespace percycle::report_choice_test
