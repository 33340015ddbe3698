#include "store/record_json.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "check_words.hpp"
#include "json/parse.hpp"
#include "unit/store_examples.hpp"

namespace percycle::store_record_json_test {
namespace {

using nlohmann::json;

/// To the text of a line and back.
json round_trip(const Record& record) { return to_json(from_json<Record>(parse_json(to_line(to_json(record))))); }

TEST_CASE("each kind of record survives its line exactly") {
  const std::string id = "0123456789abcdef";
  Header bare = examples::header();
  bare.tool_commit.clear();
  bare.architecture.clear();
  for (const Record& record : {Record(examples::header()), Record(bare), Record(examples::simulated_header()),
                               Record(examples::published_header()), Record(examples::figure(1024, 0.1 + 0.2)),
                               Record(Started{id, examples::point(1024)}), Record(Interrupted{id, examples::point(1024)}),
                               Record(examples::ok(1024, 1.0 / 3)), Record(examples::ended(1024, Status::failed, "crashed"))}) {
    CHECK(round_trip(record) == to_json(record));
    CHECK(to_line(to_json(record)).find('\n') == std::string::npos);
  }
}

TEST_CASE("a point's line has the documented shape") {
  Measurement measurement;
  measurement.samples = {{.ops = 10, .timing = {2.5, 2.0}, .clock = {40, 1.5}}};
  measurement.time_source = "device timer";
  measurement.statistics["ns_per_op"] = {0.2, 0.0, 0.1, 0.3, 1};
  measurement.clock_mhz = Sourced<double>{1000, Provenance::telemetry};
  measurement.verified_samples = 1;
  PointRecord record = examples::ok(1024, 1);
  record.result.measurement = measurement;
  CHECK(to_json(Record(record)) == json::parse(R"({
    "kind": "point", "header": "0123456789abcdef", "experiment": "latency", "parameters": {"footprint": 1024, "path": "global"},
    "outcome": {"status": "ok"},
    "measurement": {"samples": [{"ops": 10, "host_ns": 2.5, "device_ns": 2.0, "ticks": 40, "realtime_ns": 1.5}],
      "time_source": "device timer", "statistics": {"ns_per_op": {"median": 0.2, "mad": 0.0, "min": 0.1, "max": 0.3, "n": 1}},
      "clock_mhz": {"value": 1000.0, "provenance": "telemetry"}, "verified_samples": 1}})"));
  CHECK(to_json(Record(examples::ended(1024, Status::skipped, "time budget")))["outcome"] ==
        json{{"status", "skipped"}, {"reason", "time budget"}});
}

TEST_CASE("a header's line has the documented shape") {
  json written = to_json(examples::header());
  CHECK(written["device"]["name"] == "Some GPU");
  written.erase("device");
  CHECK(written == json::parse(R"({
    "kind": "header", "schema": 1, "source": "measured", "id": "0123456789abcdef", "created": "2026-11-21T09:30:00Z",
    "tool": {"name": "percycle", "version": "0.1.0", "commit": "abc1234"}, "os": "Linux 6.1",
    "identity": "uuid:00112233445566778899aabbccddeeff", "architecture": "hopper", "unit_name": "SM",
    "options": {"experiments": ["latency"], "preset": "quick", "set": {"path": "global"}, "seed": 18446744073709551615},
    "kernels_hash": "fedcba9876543210"})"));
}

TEST_CASE("a simulated device's header says so, and one that says anything else is refused") {
  json simulated = to_json(examples::simulated_header());
  CHECK(simulated["source"] == "simulated");
  CHECK(simulated["device"]["api"] == "sim");
  CHECK(simulated["device"]["model"] == "t4");
  const std::string refusal = "source: does not fit the device's API";
  simulated["source"] = "measured";
  CHECK_THROWS_WITH_AS(from_json<Header>(simulated), refusal.c_str(), std::invalid_argument);
  json measured = to_json(examples::header());
  CHECK_FALSE(measured["device"].contains("model"));
  measured["source"] = "simulated";
  CHECK_THROWS_WITH_AS(from_json<Header>(measured), refusal.c_str(), std::invalid_argument);
}

TEST_CASE("a document's figures have the documented shape, missing ones no key") {
  CHECK(to_json(examples::published_header()) == json::parse(R"({
    "kind": "header", "schema": 1, "source": "published", "id": "0123456789abcdef",
    "citation": {"document": "A. Author: A Paper", "place": "table 7", "year": 2019}, "printed_unit": "clock cycles",
    "method": "A walk of some kind.", "toolchain": "OpenCL", "device": {"name": "Some GPU", "vendor": "Somebody"}})"));
  Header untold = examples::published_header();
  untold.publication->toolchain.clear();
  CHECK_FALSE(to_json(untold).contains("toolchain"));
  CHECK(round_trip(untold) == to_json(untold));

  PointRecord figure = examples::figure(1024, 32);
  CHECK(to_json(Record(figure)) == json::parse(R"({
    "kind": "point", "header": "0123456789abcdef", "experiment": "latency", "parameters": {"footprint": 1024, "path": "global"},
    "outcome": {"status": "ok"}, "measurement": {"statistics": {"cycles_per_op": {"median": 32.0}}}})"));
  figure.result.measurement->statistics["cycles_per_op"].max = 33;
  CHECK(round_trip(figure) == to_json(Record(figure)));
}

TEST_CASE("series are rows of numbers by name, read back bit by bit") {
  Measurement measurement = examples::measurement(1);
  CHECK(to_json(measurement)["series"] == json::parse(R"({"none": [], "ticks": [[30.0, 0.30000000000000004, -1.0], []]})"));
  CHECK(from_json<Measurement>(parse_json(to_line(to_json(measurement)))).series == measurement.series);
  for (const auto& pair :
       {std::pair("1", "series: not an object"), std::pair("[]", "series: not an object"),
        std::pair(R"({"a": 1})", "series.a: not a list"), std::pair(R"({"a": null})", "series.a: not a list"),
        std::pair(R"({"a": [1]})", "series.a[0]: not a list"), std::pair(R"({"a": [["1"]]})", "series.a[0][0]: not a number"),
        std::pair(R"({"a": [[], [0, null]]})", "series.a[1][1]: not a number")}) {
    const auto& bad = pair.first;
    const auto& message = pair.second;
    json changed = to_json(measurement);
    changed["series"] = json::parse(bad);
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS(from_json<Measurement>(changed), message, std::invalid_argument);
  }
  measurement.series.clear();
  CHECK_FALSE(to_json(measurement).contains("series"));
  CHECK(from_json<Measurement>(to_json(measurement)).series.empty());
}

TEST_CASE("group clocks have the documented shape, absent values no key") {
  Measurement measurement = examples::measurement(1);
  GroupClocks& groups = measurement.samples[0].groups.value();
  groups = {.groups = 4,
            .units = 2,
            .span_ns = 10,
            .ticks = GroupClocks::Range{20, 19, 21},
            .ticks_per_ns = 2.0,
            .groups_per_tick = 0.1,
            .groups_at_once = 1.5,
            .most_at_once = {}};
  CHECK(to_json(measurement)["samples"][0]["groups"] == json::parse(R"({"groups": 4, "units": 2, "span_ns": 10.0,
    "ticks": {"median": 20.0, "min": 19.0, "max": 21.0}, "ticks_per_ns": 2.0, "groups_per_tick": 0.1, "groups_at_once": 1.5})"));
  CHECK(to_json(measurement)["work"] == json::parse(R"({"bytes_per_op": 1081344, "group_bytes_per_op": 4096})"));
  CHECK(to_json(measurement)["participants"] == json::parse(R"({"dispatch": 270336, "group": 1024})"));
  const auto read = from_json<Measurement>(to_json(measurement));
  CHECK(to_json(read) == to_json(measurement));
  groups = {};
  groups.groups = 7;
  measurement.work.reset();
  CHECK(to_json(measurement)["samples"][0]["groups"] == json{{"groups", 7}});
  CHECK_FALSE(to_json(measurement).contains("work"));
  measurement.participants.reset();
  CHECK_FALSE(to_json(measurement).contains("participants"));
  CHECK(to_json(from_json<Measurement>(to_json(measurement))) == to_json(measurement));
  groups.ticks_per_ns = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WORDS("json.ticks-not-finite", std::invalid_argument, to_json(measurement));
}

TEST_CASE("values at the edges are read back bit by bit") {
  const Sample sample = from_json<Sample>(
      parse_json(to_line(to_json(Sample{.ops = 18446744073709551615u, .timing = {0.1 + 0.2, 5e-324}, .clock = {}}))));
  CHECK(sample.ops == 18446744073709551615u);
  CHECK(sample.timing.host_ns == 0.1 + 0.2);
  CHECK(sample.timing.device_ns == 5e-324);
  const Parameters parameters{{"high", INT64_MAX}, {"low", INT64_MIN}, {"word", std::string("9")}};
  CHECK(from_json<Parameters>(parse_json(to_line(to_json(parameters)))) == parameters);
  CHECK(from_json<Parameters>(to_json(Parameters{})).empty());
  CHECK_THROWS_AS(from_json<Parameters>(json{{"a", 9223372036854775808u}}), std::invalid_argument);
  CHECK_THROWS_AS(from_json<Parameters>(json{{"a", 1.5}}), std::invalid_argument);
}

TEST_CASE("a number that JSON cannot hold is refused at any place, never written as null") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refuses = [](const Measurement& measurement, const char* message) {
    CHECK_THROWS_WITH_AS(to_json(measurement), message, std::invalid_argument);
  };
  for (const double bad : {nan, infinity, -infinity}) {
    CHECK_THROWS_AS(to_json(Summary{bad, 1, 1, 1, 1}), std::invalid_argument);
    for (std::optional<double> Summary::*field : {&Summary::mad, &Summary::min, &Summary::max}) {
      Summary summary{1, 1, 1, 1, 1};
      summary.*field = bad;
      CHECK_THROWS_AS(to_json(summary), std::invalid_argument);
    }
    Measurement measurement = examples::measurement(1);
    measurement.statistics["ns_per_op"].median = bad;
    refuses(measurement, "statistics.ns_per_op.median: not a finite number");
    measurement = examples::measurement(1);
    measurement.samples[1].timing.host_ns = bad;
    refuses(measurement, "samples[1].host_ns: not a finite number");
    measurement = examples::measurement(1);
    measurement.samples[1].timing.device_ns = bad;
    refuses(measurement, "samples[1].device_ns: not a finite number");
    measurement = examples::measurement(1);
    measurement.control_samples[0].clock.realtime_ns = bad;
    refuses(measurement, "control_samples[0].realtime_ns: not a finite number");
    measurement = examples::measurement(1);
    measurement.idle_ns = bad;
    refuses(measurement, "idle_ns: not a finite number");
    measurement = examples::measurement(1);
    measurement.clock_mhz->value = bad;
    refuses(measurement, "clock_mhz.value: not a finite number");
    measurement = examples::measurement(1);
    measurement.counter_mhz = bad;
    refuses(measurement, "counter_mhz: not a finite number");
    measurement = examples::measurement(1);
    measurement.share_walked = bad;
    refuses(measurement, "share_walked: not a finite number");
    measurement = examples::measurement(1);
    measurement.series["ticks"][0][1] = bad;
    refuses(measurement, "series.ticks[0][1]: not a finite number");
  }
}

TEST_CASE("bytes of a driver that are not UTF-8 do not stop a record") {
  const std::string line = to_line(to_json(Outcome{Status::failed, "log: \xff!"}));
  CHECK(from_json<Outcome>(json::parse(line)).reason == "log: \xef\xbf\xbd!");
}

TEST_CASE("reading a record refuses inexact values") {
  json record = to_json(Record(examples::ok(1024, 1)));
  record["measurement"]["extra"] = 1;
  CHECK_THROWS_WORDS("json.unknown-measurement-field", std::invalid_argument, from_json<Record>(record));
  record = to_json(Record(examples::ok(1024, 1)));
  record["extra"] = 1;
  CHECK_THROWS_WORDS("json.unknown-extra", std::invalid_argument, from_json<Record>(record));
  record["kind"] = "comment";
  CHECK_THROWS_WORDS("json.unknown-kind", std::invalid_argument, from_json<Record>(record));
  CHECK_THROWS_WORDS("json.not-a-status", std::invalid_argument, from_json<Outcome>(json{{"status", "fine"}}));
  CHECK_THROWS_WORDS("json.samples-not-list", std::invalid_argument,
                     from_json<Measurement>(json{{"samples", 1}, {"statistics", json::object()}}));
}

}  // namespace
}  // namespace percycle::store_record_json_test
