#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "platform/tool.hpp"
#include "stats/sample_statistics.hpp"
#include "store/record.hpp"

namespace percycle::examples {

inline Header header(std::string id = "0123456789abcdef") {
  Header header;
  header.id = std::move(id);
  header.created = "2026-11-21T09:30:00Z";
  header.tool_version = "0.1.0";
  header.tool_commit = "abc1234";
  header.os = "Linux 6.1";
  header.device.name = "Some GPU";
  header.device.api_version = "3.0";
  header.device.driver = "580.159.04";
  header.device.units = Sourced<std::uint32_t>{132, Provenance::reported};
  header.identity = "uuid:00112233445566778899aabbccddeeff";
  header.architecture = "hopper";
  header.unit_name = "SM";
  header.options = {{"latency"}, "quick", {{"path", "global"}}, 18446744073709551615u};
  header.kernels_hash = "fedcba9876543210";
  return header;
}

/// For a simulated device.
inline Header simulated_header(std::string id = "0123456789abcdef") {
  Header simulated = header(std::move(id));
  simulated.device.api = Api::sim;
  simulated.device.model = "t4";
  simulated.device.name = "Simulated T4";
  simulated.device.driver = "model 0011223344556677";
  simulated.identity = "sim:Simulated T4/model 0011223344556677";
  simulated.architecture.clear();
  return simulated;
}

/// For a device in a document.
inline Header published_header(std::string id = "0123456789abcdef") {
  Header published;
  published.id = std::move(id);
  published.device.name = "Some GPU";
  published.device.vendor = "Somebody";
  published.publication = Publication{.document = "A. Author: A Paper",
                                      .place = "table 7",
                                      .year = 2019,
                                      .printed_unit = "clock cycles",
                                      .method = "A walk of some kind.",
                                      .toolchain = "OpenCL"};
  return published;
}

inline Point point(std::int64_t footprint, const std::string& path = "global") {
  return {"latency", {{"footprint", footprint}, {"path", path}}};
}

/// A measurement that uses every field.
inline Measurement measurement(double ns_per_op) {
  Measurement measurement;
  for (int i = 0; i < 3; ++i) {
    const double ns = ns_per_op * 4096 * (1 + 0.01 * (i - 1));
    Sample sample{.ops = 4096, .timing = {1e6 / 3 + i, 1e6 / 7 + i}, .clock = {}};
    sample.clock.ticks = 18446744073709551615u;
    sample.clock.realtime_ns = 0.1 + 0.2;
    sample.groups = GroupClocks{.groups = 264,
                                .units = 132,
                                .span_ns = ns,
                                .ticks = GroupClocks::Range{ns * 2, ns / 3, ns * 3},
                                .ticks_per_ns = 1.98,
                                .groups_per_tick = 2 / 2e5,
                                .groups_at_once = 2,
                                .most_at_once = 3};
    measurement.samples.push_back(sample);
  }
  measurement.control_samples.push_back({.ops = 1, .timing = {5e-324, std::nullopt}, .clock = {{}, ns_per_op + 0.25}});
  measurement.idle_ns = 1500;
  measurement.time_source = "in-kernel clock";
  measurement.clock_mhz = Sourced<double>{1980, Provenance::measured_in_kernel};
  measurement.clocks_mhz = {{1980, Provenance::measured_in_kernel}, {1995.5, Provenance::telemetry}};
  measurement.telemetry = {{0, {1980, 0.1 + 0.2, 40}}, {3e6 / 7, {.clock_mhz = 1995.5, .power_w = 700}}};
  measurement.alu_chain = AluChainRuns{.cycles_per_op = 4, .runs = {{256000, 1e6 / 3}, {256000, 0.1 + 0.2}}};
  measurement.counter_mhz = 1980;
  measurement.work = Work{.bytes_per_op = 1081344, .group_bytes_per_op = 4096};
  measurement.participants = Participants{.dispatch = 270336, .group = 1024};
  for (const char* name : {"ns_per_op", "cycles_per_op", "net_ns_per_op"})
    measurement.statistics[name] = statistics_of(measurement, {}).at(name);
  measurement.series = {{"ticks", {{30, 0.1 + 0.2, -1}, {}}}, {"none", {}}};
  measurement.share_walked = 1.5;
  measurement.observed = {{"subgroup_size", "32"}};
  measurement.verified_samples = 3;
  measurement.codegen =
      Codegen{.form = "Assembly",
              .registers = 8,
              .spills = 1,
              .scratch_bytes = 16,
              .code_bytes = 4096,
              .counts = CodeCounts{.accesses = {{"load", "vector", 8, false, 31}, {"atomic", "local", 4, true, 1}},
                                   .alu = 2,
                                   .scalar_alu = 3,
                                   .branches = 1,
                                   .calls = 1,
                                   .alu_per_access = 5.0 / 31,
                                   .instructions = {{"IADD3", 2}, {"MUFU.RCP", 1}}},
              .note = "one division is 8 instructions here",
              .same_as_optimized = false,
              .missing = "no tool"};
  measurement.warnings = {"a warning, with \"quotes\", a\nnewline and µ"};
  return measurement;
}

inline PointRecord ok(std::int64_t footprint, double ns_per_op, const std::string& id = "0123456789abcdef") {
  PointRecord record;
  record.header = id;
  record.result.point = point(footprint);
  record.result.measurement = measurement(ns_per_op);
  return record;
}

/// A point from a document.
inline PointRecord figure(std::int64_t footprint, double cycles_per_op, const std::string& id = "0123456789abcdef") {
  PointRecord record;
  record.header = id;
  record.result.point = point(footprint);
  record.result.measurement.emplace().statistics["cycles_per_op"].median = cycles_per_op;
  return record;
}

inline PointRecord ended(std::int64_t footprint, Status status, const std::string& reason) {
  PointRecord record;
  record.header = "0123456789abcdef";
  record.result.point = point(footprint);
  record.result.outcome.status = status;
  record.result.outcome.reason = reason;
  return record;
}

/// A separate folder for one test, removed at its end.
class Folder {
 public:
  std::filesystem::path operator/(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

}  // namespace percycle::examples
