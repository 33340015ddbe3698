#include "report/code_note.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check_words.hpp"
#include "report/run_summary.hpp"
#include "report/show.hpp"
#include "unit/store_examples.hpp"

namespace percycle::code_note_test {
namespace {

constexpr const char* kInstructions = "one div (irregular) is 8 instructions here";
constexpr const char* kSame = "the driver made the same machine code as with optimisation";

Measurement with_code(std::string note, std::optional<bool> same_as_optimized) {
  Measurement measurement;
  measurement.time_source = "device timer";
  measurement.statistics["ns_per_op"] = {100, 0, 100, 100, 5};
  measurement.codegen.emplace().note = std::move(note);
  measurement.codegen->same_as_optimized = same_as_optimized;
  return measurement;
}

TEST_CASE("code notes: the instructions of an operation, and code that no optimisation changed") {
  CHECK(code_notes(Measurement{}).empty());
  CHECK(code_notes(with_code("", std::nullopt)).empty());
  CHECK(code_notes(with_code("", false)).empty());
  CHECK(code_notes(with_code(kInstructions, std::nullopt)) == std::vector<std::string>{kInstructions});
  CHECK(code_notes(with_code(kInstructions, false)) == std::vector<std::string>{kInstructions});
  CHECK(code_notes(with_code("", true)) == std::vector<std::string>{kSame});
  CHECK(code_notes(with_code(kInstructions, true)) == std::vector<std::string>{kInstructions, kSame});
  Measurement warned = with_code(kInstructions, false);
  warned.warnings = {std::string("machine code (SASS): ") + kInstructions};
  CHECK(code_notes(warned).empty());
  Measurement jump = with_code("one fma calls a function here", false);
  jump.codegen->counts.emplace().calls = 1;
  CHECK(code_notes(jump).size() == 1);
  jump.codegen->counts->alu = 512;
  CHECK(code_notes(jump).empty());
}

/// A record of points with these measurements.
LoadedFile file_of(std::vector<Measurement> measurements) {
  LoadedFile file;
  file.headers = {examples::header()};
  std::int64_t footprint = 1024;
  for (Measurement& measurement : measurements) {
    PointRecord record{"0123456789abcdef", {examples::point(footprint), {Status::ok, ""}, std::move(measurement)}};
    file.entries.push_back(std::move(record));
    footprint *= 2;
  }
  return file;
}

TEST_CASE("code notes: show has each below the table once") {
  const std::string text = show(file_of({with_code(kInstructions, true), with_code(kInstructions, false)}), limits_catalogue());
  CAPTURE(text);
  CHECK(text.find(std::string("  [1] ") + kInstructions + "\n  [2] " + kSame + '\n') != std::string::npos);
  CHECK(text.find("[3]") == std::string::npos);
}

TEST_CASE("code notes: a summary counts the warnings of a point, not the notes on its code") {
  const auto summary = [](std::vector<std::string> warnings) {
    Measurement measurement = with_code(kInstructions, true);
    measurement.warnings = std::move(warnings);
    ReportCollector collector(limits_catalogue());
    collector.add(file_of({std::move(measurement)}));
    const ReportData data = collector.finish();
    return to_text(run_summary(data));
  };
  CHECK(summary({}).find("warnings") == std::string::npos);
  const std::string warned = summary({"the clock changed"});
  CAPTURE(warned);
  CHECK(warned.find("warnings") != std::string::npos);
  CHECK(warned.find("1 point: the clock changed (1)") != std::string::npos);
}

}  // namespace
}  // namespace percycle::code_note_test
