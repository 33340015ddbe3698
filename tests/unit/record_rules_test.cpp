#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "source_folders.hpp"
#include "store/record_json.hpp"
#include "unit/store_examples.hpp"

namespace percycle::record_rules_test {
namespace {

using nlohmann::json;

/// The rule that the line breaks; empty if it is valid.
std::optional<std::string> violation(const json& line) {
  try {
    static_cast<void>(from_json<Record>(line));
    return std::nullopt;
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

json point_line() { return to_json(Record(examples::ok(1024, 1))); }
json header_line() { return to_json(examples::header()); }
json published_line() { return to_json(examples::published_header()); }
json figure_line() { return to_json(Record(examples::figure(1024, 1))); }
json failed_line() { return to_json(Record(examples::ended(1024, Status::failed, "crashed"))); }

TEST_CASE("reading a line: the rules accept every record that the tool writes") {
  const std::string id = "0123456789abcdef";
  Header bare = examples::header();
  bare.device = {};
  bare.tool_commit.clear();
  bare.architecture.clear();
  PointRecord wrong = examples::ok(1024, 1);
  wrong.result.outcome = {Status::invalid, "end index 3, not 4"};
  wrong.result.measurement->statistics.clear();
  for (const Record& record :
       {Record(examples::header()), Record(bare), Record(examples::simulated_header()), Record(examples::published_header()),
        Record(examples::figure(1, 1)), Record(Started{id, examples::point(1)}), Record(Interrupted{id, examples::point(1)}),
        Record(examples::ok(1, 1)), Record(wrong), Record(examples::ended(1, Status::unsupported, "no texel buffers"))}) {
    CHECK(violation(to_json(record)).value_or("valid") == "valid");
  }
}

TEST_CASE("reading a line: the rules refuse every member taken away that is not optional, and any added one, at every level") {
  const std::vector<std::string> optional{"/tool/commit",
                                          "/architecture",
                                          "/toolchain",
                                          "/device/units",
                                          "/options/set/path",
                                          "/parameters/footprint",
                                          "/parameters/path",
                                          "/measurement/samples/0/device_ns",
                                          "/measurement/samples/0/ticks",
                                          "/measurement/samples/0/realtime_ns",
                                          "/measurement/samples/0/groups",
                                          "/measurement/samples/0/groups/units",
                                          "/measurement/samples/0/groups/span_ns",
                                          "/measurement/samples/0/groups/ticks",
                                          "/measurement/samples/0/groups/ticks_per_ns",
                                          "/measurement/samples/0/groups/groups_per_tick",
                                          "/measurement/samples/0/groups/groups_at_once",
                                          "/measurement/samples/0/groups/most_at_once",
                                          "/measurement/clocks_mhz",
                                          "/measurement/telemetry",
                                          "/measurement/telemetry/0/clock_mhz",
                                          "/measurement/telemetry/0/power_w",
                                          "/measurement/telemetry/0/temperature_c",
                                          "/measurement/alu_chain",
                                          "/measurement/work",
                                          "/measurement/participants",
                                          "/measurement/control_samples",
                                          "/measurement/control_samples/0/realtime_ns",
                                          "/measurement/idle_ns",
                                          "/measurement/clock_mhz",
                                          "/measurement/counter_mhz",
                                          "/measurement/series",
                                          "/measurement/series/none",
                                          "/measurement/series/ticks",
                                          "/measurement/share_walked",
                                          "/measurement/observed",
                                          "/measurement/observed/subgroup_size",
                                          "/measurement/statistics/ns_per_op",
                                          "/measurement/statistics/cycles_per_op",
                                          "/measurement/statistics/net_ns_per_op",
                                          "/measurement/codegen",
                                          "/measurement/codegen/form",
                                          "/measurement/codegen/missing",
                                          "/measurement/codegen/registers",
                                          "/measurement/codegen/spills",
                                          "/measurement/codegen/scratch_bytes",
                                          "/measurement/codegen/code_bytes",
                                          "/measurement/codegen/loop",
                                          "/measurement/codegen/loop/calls",
                                          "/measurement/codegen/loop/alu_per_access",
                                          "/measurement/codegen/loop/instructions",
                                          "/measurement/codegen/note",
                                          "/measurement/codegen/same_as_optimized",
                                          "/measurement/warnings"};
  // Only a free map accepts a text under any name.
  const std::vector<std::string> free_maps{"/options/set", "/parameters", "/measurement/observed"};
  const auto among = [](const std::vector<std::string>& list, const std::string& path) {
    return std::find(list.begin(), list.end(), path) != list.end();
  };

  const std::function<void(const json&, const json::json_pointer&)> walk = [&](const json& line, const json::json_pointer& at) {
    const json& value = line[at];
    if (value.is_array() && !value.empty() && value[0].is_object()) walk(line, at / 0);
    if (!value.is_object()) return;
    json added = line;
    added[at]["surplus"] = "x";
    CAPTURE(at.to_string());
    CHECK(violation(added).has_value() == !among(free_maps, at.to_string()));
    for (const auto& [key, member] : value.items()) {
      const auto path = at / key;
      CAPTURE(path.to_string());
      json without = line;
      without[at].erase(key);
      CHECK(violation(without).has_value() == !among(optional, path.to_string()));
      json null = line;
      null[path] = nullptr;
      CHECK(violation(null).has_value());
      walk(line, path);
    }
  };
  for (const json& line : {point_line(), header_line(), published_line(), failed_line(),
                           to_json(Record(Started{"0123456789abcdef", examples::point(1)}))}) {
    walk(line, json::json_pointer());
  }
}

TEST_CASE("reading a line: the rules refuse impossible values, naming the place") {
  const auto refuses = [&](json line, const char* path, json value, const std::string& start) {
    line[json::json_pointer(path)] = std::move(value);
    CAPTURE(path);
    const auto found = violation(line);
    REQUIRE(found);
    CHECK(found->substr(0, start.size()) == start);
  };
  refuses(point_line(), "/measurement/samples/1/host_ns", 0, "measurement.samples[1].host_ns: ");
  refuses(point_line(), "/measurement/samples/1/device_ns", -1, "measurement.samples[1].device_ns: ");
  refuses(point_line(), "/measurement/samples/1/ops", -1, "measurement.samples[1].ops: ");
  refuses(point_line(), "/measurement/samples/1/ops", 0, "measurement.samples[1].ops: 0 is below 1");
  refuses(point_line(), "/measurement/samples/1/ops", 1.5, "measurement.samples[1].ops: ");
  refuses(point_line(), "/measurement/samples/1/ops", "7", "measurement.samples[1].ops: ");
  refuses(point_line(), "/measurement/idle_ns", -1, "measurement.idle_ns: ");
  refuses(point_line(), "/measurement/clock_mhz/value", 0, "measurement.clock_mhz.value: ");
  refuses(point_line(), "/measurement/clock_mhz/provenance", "guess", "measurement.clock_mhz.provenance: ");
  refuses(point_line(), "/measurement/counter_mhz", 0, "measurement.counter_mhz: ");
  refuses(point_line(), "/measurement/share_walked", 0, "measurement.share_walked: ");
  refuses(point_line(), "/measurement/series/ticks", 1, "measurement.series.ticks: ");
  refuses(point_line(), "/measurement/series/ticks/0", 1, "measurement.series.ticks[0]: ");
  refuses(point_line(), "/measurement/series/ticks/0/1", "1", "measurement.series.ticks[0][1]: ");
  refuses(point_line(), "/measurement/time_source", "", "measurement.time_source: ");
  refuses(point_line(), "/measurement/statistics/ns_per_op/median", 0, "measurement.statistics.ns_per_op.median: ");
  refuses(point_line(), "/measurement/statistics/cycles_per_op/max", -1, "measurement.statistics.cycles_per_op.max: ");
  refuses(point_line(), "/measurement/statistics/net_ns_per_op/mad", -1, "measurement.statistics.net_ns_per_op.mad: ");
  refuses(point_line(), "/measurement/statistics/ns_per_op/n", 0, "measurement.statistics.ns_per_op.n: ");
  refuses(point_line(), "/parameters/footprint", 1.5, "parameters.footprint: ");
  refuses(point_line(), "/parameters/footprint", -4096, "parameters.footprint: -4096 is below 0");
  refuses(point_line(), "/parameters/footprint", 0, "parameters: a footprint below 1 byte");
  refuses(point_line(), "/measurement/samples/1/host_ns", 1e300, "measurement.samples[1].host_ns: 1e+300 is beyond 1e+18");
  refuses(point_line(), "/measurement/telemetry/0/power_w", -1e300, "measurement.telemetry[0].power_w: -1e+300 is beyond 1e+18");
  refuses(point_line(), "/measurement/statistics/net_ns_per_op/min", -1e19, "measurement.statistics.net_ns_per_op.min: ");
  refuses(point_line(), "/header", "0123", "header: ");
  refuses(point_line(), "/kind", "comment", "kind: ");
  refuses(published_line(), "/citation/year", 0, "citation.year: ");
  refuses(published_line(), "/citation/document", "", "citation.document: ");
  refuses(published_line(), "/citation/place", "", "citation.place: ");
  refuses(published_line(), "/method", "", "method: ");
  refuses(published_line(), "/device/name", "", "device.name: ");
  refuses(figure_line(), "/measurement/statistics/cycles_per_op/median", 0, "measurement.statistics.cycles_per_op.median: ");
  refuses(header_line(), "/schema", 0, "schema: ");
  refuses(header_line(), "/source", "guessed", "source: ");
  refuses(header_line(), "/tool/name", "other", "tool.name: ");
  refuses(header_line(), "/created", "yesterday", "created: ");
  refuses(header_line(), "/options/seed", -1, "options.seed: ");
  refuses(header_line(), "/device/units/value", 0, "device.units.value: ");
  refuses(header_line(), "/device/api", "cuda", "device.api: ");
}

TEST_CASE("reading a line: the rules tie the outcome to the reason and the measurement") {
  const auto valid = [&](const json& line) { return !violation(line); };
  json line = point_line();
  line["outcome"]["reason"] = "fine";
  CHECK_FALSE(valid(line));
  line = point_line();
  line.erase("measurement");
  CHECK_FALSE(valid(line));
  line = point_line();
  line["measurement"]["statistics"] = json::object();
  CHECK_FALSE(valid(line));
  line = point_line();
  line["outcome"] = {{"status", "invalid"}, {"reason", "wrong sum"}};
  CHECK_FALSE(valid(line));  // a number from a failed check
  line["measurement"]["statistics"] = json::object();
  CHECK(valid(line));
  line = failed_line();
  line["outcome"].erase("reason");
  CHECK_FALSE(valid(line));
  line["outcome"]["reason"] = "";
  CHECK_FALSE(valid(line));
}

TEST_CASE("reading a line: the rules tie source, API and model to each other: a simulated run cannot pose as a measured one") {
  const auto valid = [&](const json& line) { return !violation(line); };
  const json simulated = to_json(examples::simulated_header());
  CHECK(valid(simulated));
  json line = simulated;
  line["source"] = "measured";
  CHECK_FALSE(valid(line));
  line = simulated;
  line["device"].erase("model");
  CHECK_FALSE(valid(line));
  line = simulated;
  line["device"]["api"] = "vulkan";
  CHECK_FALSE(valid(line));
  line["device"].erase("model");
  CHECK_FALSE(valid(line));
  line["source"] = "measured";
  CHECK(valid(line));
  line["device"]["model"] = "t4";
  CHECK_FALSE(valid(line));
}

TEST_CASE("reading a line: the rules know a run's header from a document's, and a measured point from a published one") {
  const auto verdict = [](const json& line) { return violation(line).value_or("valid"); };
  json line = published_line();
  line.erase("citation");
  CHECK_WORDS("json.missing-citation", verdict(line));
  line = published_line();
  line["kernels_hash"] = "fedcba9876543210";
  CHECK_WORDS("json.unknown-kernels-hash", verdict(line));
  line = published_line();
  line["source"] = "measured";
  CHECK(verdict(line) != "valid");
  line = header_line();
  line["source"] = "published";
  CHECK(verdict(line) != "valid");
  line = header_line();
  line["citation"] = published_line()["citation"];
  CHECK_WORDS("json.unknown-citation", verdict(line));

  line = figure_line();
  line["measurement"]["statistics"] = json::object();
  CHECK_WORDS("json.no-statistics", verdict(line));
  line = figure_line();
  line["measurement"]["statistics"]["cycles_per_op"].erase("median");
  CHECK_WORDS("json.missing-median", verdict(line));
  line = figure_line();
  line["measurement"]["samples"] = point_line()["measurement"]["samples"];
  CHECK_WORDS("json.missing-time-source", verdict(line));
  line = figure_line();
  line["measurement"]["printed"] = {{"cycles_per_op", "~32"}};
  line["measurement"]["warnings"] = {"a misprint"};
  line["measurement"]["clock_mhz"] = {{"value", 950.0}, {"provenance", "published"}};
  CHECK(verdict(line) == "valid");
  line["measurement"]["clock_mhz"]["provenance"] = "reported";
  CHECK(verdict(line) != "valid");
  line = point_line();
  line["measurement"]["printed"] = {{"ns_per_op", "~32"}};
  CHECK(verdict(line) != "valid");
  line = figure_line();
  line["measurement"]["time_source"] = "device timer";
  CHECK_WORDS("json.missing-samples", verdict(line));
  line = published_line();
  line["citation"]["prose"] = 1;
  CHECK(verdict(line) != "valid");
  line["citation"]["prose"] = true;
  line["device"]["units"] = {{"value", 20}, {"provenance", "published"}};
  line["unit_name"] = "CU";
  CHECK(verdict(line) == "valid");

  line = figure_line();
  line["outcome"] = {{"status", "invalid"}, {"reason", "a misprint"}};
  line["measurement"]["statistics"] = json::object();
  CHECK_WORDS("json.missing-samples", verdict(line));
  line = point_line();
  line["measurement"].erase("samples");
  CHECK_WORDS("json.missing-samples", verdict(line));
  line = point_line();
  line["measurement"]["samples"] = json::array();
  CHECK_WORDS("json.no-samples", verdict(line));
}

TEST_CASE("names of statistics are machine names") {
  json line = point_line();
  json& statistics = line["measurement"]["statistics"];
  statistics["tlb_misses_2"] = statistics["ns_per_op"];
  CHECK_FALSE(violation(line));
  statistics["TLB misses"] = statistics["ns_per_op"];
  CHECK(violation(line));
}

TEST_CASE("the kept schema is that of this version") {
  CHECK(examples::read_text(published_folder().parent_path() / "record.schema.json") == record_schema());
}

TEST_CASE("only an object is a record") {
  for (const json& line : {json(), json(1), json("header"), json::array(), json::object()}) CHECK(violation(line));
}

}  // namespace
}  // namespace percycle::record_rules_test
