#include "store/impossible.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"
#include "store/set_aside.hpp"
#include "unit/store_examples.hpp"

namespace percycle::impossible_test {
namespace {

using Change = std::function<void(Header&, PointResult&)>;

/// The sentences on a sound point with one change.
std::vector<std::string> sentences(const Change& change) {
  Header header = examples::header();
  PointResult result = examples::ok(1024, 2).result;
  change(header, result);
  return impossible_numbers(header, result);
}

Change clock(double mhz, Provenance provenance) {
  return [=](Header&, PointResult& result) { result.measurement->clocks_mhz.push_back({mhz, provenance}); };
}

Change reading(const TelemetryReading& state) {
  return [=](Header&, PointResult& result) { result.measurement->telemetry.push_back({1e6, state}); };
}

TEST_CASE("a sound point has nothing impossible, and a published or failed one is not judged") {
  CHECK(sentences([](Header&, PointResult&) {}).empty());
  CHECK(sentences([](Header&, PointResult& result) {
          result.measurement->verified_samples = 0;
          result.outcome = {Status::invalid, "wrong"};
        }).empty());
  CHECK(impossible_numbers(examples::published_header(), examples::figure(1024, 30).result).empty());
}

TEST_CASE("samples of more units than the device has") {
  CHECK_WORDS("impossible.units", sentences([](Header& header, PointResult&) { header.device.units->value = 131; }));
  CHECK(sentences([](Header& header, PointResult&) { header.device.units.reset(); }).empty());
}

TEST_CASE("no sample with a checked result") {
  CHECK_WORDS("impossible.verified", sentences([](Header&, PointResult& result) { result.measurement->verified_samples = 0; }));
}

TEST_CASE("a device timer above the host's time, but not by the difference of two clocks") {
  const auto device_ns = [](const char* source, double ns) {
    return [=](Header&, PointResult& result) {
      result.measurement->time_source = source;
      result.measurement->samples[1].timing = {.host_ns = 1e6, .device_ns = ns};
    };
  };
  CHECK_WORDS("impossible.device-timer", sentences(device_ns("device timer", 1.02e6)));
  CHECK(sentences(device_ns("device timer", 1.005e6)).empty());
  CHECK(sentences(device_ns("in-kernel clock", 2e6)).empty());
}

TEST_CASE("samples that took longer than their point") {
  CHECK_WORDS("impossible.samples", sentences([](Header&, PointResult& result) { result.seconds = 0.0009; }));
  CHECK(sentences([](Header&, PointResult& result) { result.seconds = 0.001001; }).empty());
}

TEST_CASE("clocks that no device has") {
  CHECK_WORDS("impossible.fast-clock", sentences(clock(24457, Provenance::reported)));
  CHECK_WORDS("impossible.slow-clock", sentences(clock(1, Provenance::reported)));
  CHECK_WORDS("impossible.telemetry-clock", sentences(reading({.clock_mhz = 6001})));
  CHECK(sentences(reading({.clock_mhz = 50})).empty());
  CHECK(sentences(reading({.clock_mhz = 6000})).empty());
}

TEST_CASE("sources of the clock that are more than a half apart") {
  CHECK_WORDS("impossible.clocks-apart", sentences(clock(3000, Provenance::telemetry)));
  CHECK(sentences(clock(2900, Provenance::telemetry)).empty());
  // Telemetry may be older than the point. A report may be of the base clock, and a chain assumes a
  // latency.
  for (const Provenance rough : {Provenance::telemetry, Provenance::reported, Provenance::calibrated_chain}) {
    CHECK(sentences(clock(705, rough)).empty());
    CHECK_FALSE(sentences(clock(450, rough)).empty());
  }
  CHECK(sentences([](Header& header, PointResult& result) {
          header.device.type = DeviceType::cpu;
          clock(450, Provenance::reported)(header, result);
        }).empty());
}

TEST_CASE("temperatures and powers that no card survives") {
  CHECK_WORDS("impossible.temperature", sentences(reading({.power_w = 1, .temperature_c = 2000})));
  CHECK_WORDS("impossible.power", sentences(reading({.power_w = 1e6})));
  CHECK_FALSE(sentences(reading({.power_w = -1})).empty());
  CHECK_FALSE(sentences(reading({.temperature_c = -61})).empty());
  CHECK(sentences(reading({.power_w = 5000, .temperature_c = 150})).empty());
}

TEST_CASE("a footprint below its stride or above its memory") {
  const auto stride = [](std::int64_t bytes) {
    return [=](Header&, PointResult& result) { result.point.parameters["stride"] = bytes; };
  };
  CHECK_WORDS("impossible.stride", sentences(stride(1025)));
  CHECK(sentences(stride(1024)).empty());
  CHECK_WORDS("impossible.memory", sentences([](Header& header, PointResult&) { header.device.memory_bytes = 1023; }));
  CHECK(sentences([](Header& header, PointResult&) { header.device.memory_bytes = 1024; }).empty());
  CHECK_WORDS("impossible.local-memory", sentences([](Header& header, PointResult& result) {
                header.device.local_memory_bytes = 1023;
                result.point.parameters["path"] = "local";
              }));
}

TEST_CASE("moments that do not exist") {
  CHECK_WORDS("impossible.moment", impossible_moment("2026-02-30T09:30:00Z"));
  for (const char* moment : {"2026-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
                             "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z"}) {
    CAPTURE(moment);
    CHECK(impossible_moment(moment));
  }
  CHECK_FALSE(impossible_moment("2024-02-29T23:59:59Z"));
}

/// A file with these records: a line each.
LoadedFile loaded(const std::vector<Record>& records) {
  const examples::Folder folder;
  std::string text;
  for (const Record& record : records) text += to_line(to_json(record)) + '\n';
  examples::write_text(folder / "some.jsonl", text);
  return load(folder / "some.jsonl");
}

/// "LINE: SENTENCE" of each fault.
std::vector<std::string> faults(const LoadedFile& file) {
  std::vector<std::string> lines;
  for (const Impossible& fault : file.impossible) lines.push_back(std::to_string(fault.line) + ": " + fault.sentence);
  return lines;
}

/// A run whose two points take 30 s each, and the next one on the card.
std::vector<Record> two_runs(const std::string& second_created) {
  PointRecord first = examples::ok(1024, 2);
  first.result.seconds = 29;
  first.result.compile_seconds = 1;
  PointRecord second = first;
  second.result.point = examples::point(2048);
  Header next = examples::header("1111111111111111");
  next.created = second_created;
  return {examples::header(), first, second, next, examples::ok(1024, 2, next.id)};
}

TEST_CASE("points that together took longer than their run") {
  const LoadedFile file = loaded(two_runs("2026-11-21T09:30:40Z"));
  CHECK_WORDS("impossible.run", faults(file));
  REQUIRE(file.impossible.size() == 1);
  CHECK(file.impossible.front().entries == std::vector<std::size_t>{0, 1});
  CHECK(loaded(two_runs("2026-11-21T09:30:59Z")).impossible.empty());
  CHECK(loaded(two_runs("2026-11-21T09:29:00Z")).impossible.empty());  // files in another order
  auto others = two_runs("2026-11-21T09:30:40Z");
  std::get<Header>(others[3]).identity = "uuid:ffffffffffffffffffffffffffffffff";
  CHECK(loaded(others).impossible.empty());
}

std::vector<Record> curve(const std::vector<double>& latencies) {
  std::vector<Record> records{examples::header()};
  std::int64_t footprint = 1024;
  for (const double ns : latencies) records.emplace_back(examples::ok(footprint *= 2, ns));
  return records;
}

TEST_CASE("a curve of latency that falls with the footprint; noise is no fall") {
  const LoadedFile file = loaded(curve({40, 40, 30, 30, 20, 20}));
  CHECK_WORDS("impossible.falling", faults(file));
  REQUIRE(file.impossible.size() == 1);
  CHECK(file.impossible.front().entries.size() == 6);
  CHECK(loaded(curve({20, 20, 20, 100, 20, 20, 20})).impossible.empty());
  CHECK(loaded(curve({23, 23, 20, 20, 20, 20})).impossible.empty());
  CHECK(loaded(curve({40, 30, 20})).impossible.empty());
  CHECK(loaded(curve({40, 40, 30, 20, 20})).impossible.empty());
  CHECK(loaded(curve({40, 20, 30, 30, 20, 20})).impossible.empty());
  CHECK(loaded(curve({40, 40, 30, 30, 20, 40})).impossible.empty());
}

TEST_CASE("points of a run at no moment, and points with impossible numbers, lose their figures") {
  auto records = curve({20, 21, 22});
  std::get<PointRecord>(records[2]).result.measurement->verified_samples = 0;
  LoadedFile file = loaded(records);
  CHECK_WORDS("impossible.named-line", faults(file));
  set_aside_impossible(file);
  const auto& result = [&](std::size_t i) -> const PointResult& { return std::get<PointRecord>(file.entries[i]).result; };
  CHECK(result(0).outcome.status == Status::ok);
  CHECK(result(1).outcome == Outcome{Status::invalid, "measurement.verified_samples: 0, so no result was checked"});
  CHECK(result(1).measurement->statistics.empty());
  CHECK(result(1).measurement->samples.size() == 3);

  std::get<Header>(records[0]).created = "2026-02-30T09:30:00Z";
  file = loaded(records);
  CHECK(file.impossible.size() == 2);
  set_aside_impossible(file);
  for (std::size_t i = 0; i < 3; ++i) CHECK(result(i).outcome.status == Status::invalid);
}

}  // namespace
}  // namespace percycle::impossible_test
