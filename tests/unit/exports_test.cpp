#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "exports/accel_sim.hpp"
#include "exports/roofline.hpp"
#include "report/card_columns.hpp"
#include "unit/store_examples.hpp"

namespace percycle::exports_test {
namespace {

ReportData runs_of(std::vector<std::pair<Header, std::vector<PointRecord>>> runs) {
  ReportCollector collector(limits_catalogue());
  for (auto& [header, points] : runs) {
    LoadedFile file;
    file.path = "card.jsonl";
    for (PointRecord& point : points) {
      point.header = header.id;
      file.entries.emplace_back(std::move(point));
    }
    file.headers = {std::move(header)};
    collector.add(std::move(file));
  }
  return collector.finish();
}

PointRecord measured(const char* experiment, Parameters parameters, const char* statistic, double value) {
  PointRecord record;
  record.result.point = {experiment, std::move(parameters)};
  Measurement& measurement = record.result.measurement.emplace();
  measurement.time_source = "device timer";
  measurement.statistics[statistic] = {value, value / 100, value, value, 5};
  return record;
}

PointRecord latency(const char* group, const char* instruction, double cycles) {
  return measured("instruction-latency", {{"class", group}, {"instruction", instruction}, {"optimization", "O3"}},
                  "net_cycles_per_op", cycles);
}

PointRecord rate(const char* operation, double results) {
  return measured("arithmetic-throughput", {{"operation", operation}, {"chains", 4}, {"subgroups", 8}}, "ops_per_unit_cycle",
                  results);
}

/// Subgroups of even numbers share a scheduler, and so do those of odd numbers.
std::vector<PointRecord> two_schedulers() {
  std::vector<PointRecord> points;
  for (std::int64_t first = 0; first < 4; ++first) {
    for (std::int64_t second = first + 1; second < 4; ++second)
      points.push_back(measured("scheduler-map", {{"first", first}, {"second", second}, {"subgroups", 4}}, "ops_per_unit_cycle",
                                (second - first) % 2 == 0 ? 16 : 32));
  }
  return points;
}

Header header_of(Api api, const char* id) {
  Header header = examples::header(id);
  header.device.api = api;
  header.device.subgroup_sizes = {32};
  return header;
}

HierarchyLevel level(const char* name, double cycles) {
  HierarchyLevel level;
  level.path = "global";
  level.name = name;
  level.size_bytes = 64 * 1024;
  level.latency_cycles = cycles;
  level.latency_confidence = 1;
  return level;
}

std::map<std::string, std::string> values_of(const CardExport& card) {
  std::map<std::string, std::string> values;
  for (const ExportedValue& value : card.values) values[value.name] = value.text;
  return values;
}

std::map<std::string, std::string> missing_of(const CardExport& card) {
  std::map<std::string, std::string> reasons;
  for (const MissingValue& value : card.missing) reasons[value.name] = value.reason;
  return reasons;
}

const ExportedValue& value_called(const CardExport& card, const char* name) {
  return *std::ranges::find(card.values, std::string(name), &ExportedValue::name);
}

TEST_CASE("exports: a list of instructions needs all of them, from either API") {
  std::vector<PointRecord> opencl{latency("Floating Single Precision", "add", 4.2),
                                  latency("Floating Single Precision", "max", 6.6),
                                  latency("Floating Single Precision", "mul", 4), rate("fp32-fma", 31.7)};
  std::ranges::move(two_schedulers(), std::back_inserter(opencl));
  std::vector<PointRecord> vulkan{latency("Floating Single Precision", "add", 9), latency("Floating Single Precision", "fma", 5)};
  const auto card_of = [&](bool with_division) {
    if (with_division) vulkan.push_back(latency("Floating Single Precision", "div (irregular)", 45.4));
    const ReportData data =
        runs_of({{header_of(Api::opencl, "0000000000000001"), opencl}, {header_of(Api::vulkan, "0000000000000002"), vulkan}});
    const auto columns = report_columns(data);
    REQUIRE(columns.size() == 1);
    CardExport card = accel_sim_export(columns.front());
    if (with_division) {
      const auto& fields = value_called(card, "-ptx_opcode_latency_fp").from;
      REQUIRE(fields.size() == 5);
      CHECK(record_words(fields[0]) == "OpenCL, run 0000000000000001 of 2026-11-21T09:30:00Z, card.jsonl");
      CHECK(record_words(fields[3]) == "Vulkan, run 0000000000000002 of 2026-11-21T09:30:00Z, card.jsonl");
    }
    return card;
  };
  const CardExport partly = card_of(false);
  CHECK_FALSE(values_of(partly).contains("-ptx_opcode_latency_fp"));
  CHECK(missing_of(partly)["-ptx_opcode_latency_fp"] == "not measured: fp32-div-irregular");
  const CardExport whole = card_of(true);
  CHECK(values_of(whole)["-ptx_opcode_latency_fp"] == "4,7,4,5,45");
  // 32 lanes of 2 schedulers at 31.7 results in a cycle: an instruction in every second cycle.
  CHECK(values_of(whole)["-trace_opcode_latency_initiation_sp"] == "5,2");
  CHECK(values_of(whole)["-gpgpu_num_sched_per_core"] == "2");
  CHECK(whole.is_measured());
}

TEST_CASE("exports: caches and the ways behind them") {
  ReportData data = runs_of({{header_of(Api::opencl, "0000000000000001"), {rate("fp32-fma", 64)}}});
  const auto card = [&](const HierarchyLevel& first, const HierarchyLevel& second, bool reached) {
    Hierarchy& hierarchy = data.devices.front().analysis->hierarchy;
    hierarchy.levels = {first, second};
    hierarchy.memory = {
        {.path = "global", .reached = reached, .latency_cycles = 700, .together_cycles = {}, .together_ns = {}, .evidence = {}}};
    return accel_sim_export(report_columns(data).front());
  };
  HierarchyLevel first = level("L1", 40);
  const CardExport unknown_ways = card(first, level("L2 near", 240.4), true);
  CHECK(values_of(unknown_ways)["-gpgpu_l1_latency"] == "40");
  CHECK(values_of(unknown_ways)["-gpgpu_l2_rop_latency"] == "200");
  CHECK(values_of(unknown_ways)["-dram_latency"] == "460");
  CHECK_FALSE(values_of(unknown_ways).contains("-gpgpu_cache:dl1"));

  first.line_bytes = 128;
  first.sector_bytes = 32;
  first.sets = 16;
  first.ways = 32;
  const CardExport known = card(first, level("L2", 240), false);
  CHECK(values_of(known)["-gpgpu_cache:dl1"] == "S:16:128:32,L:T:m:L:L,A:512:64,16:0,32");
  CHECK(values_of(known)["-gpgpu_unified_l1d_size"] == "0");
  CHECK_FALSE(values_of(known).contains("-dram_latency"));
  CHECK(missing_of(known).contains("-dram_latency"));

  first.sector_bytes = 64;
  CHECK(values_of(card(first, level("L2", 240), true))["-gpgpu_cache:dl1"].starts_with("N:16:128:32,"));
  first.sets = 12;
  CHECK_FALSE(values_of(card(first, level("L2", 240), true)).contains("-gpgpu_cache:dl1"));
}

TEST_CASE("exports: what a driver states is no measurement") {
  const ReportData data = runs_of({{header_of(Api::opencl, "0000000000000001"), {rate("int64-add", 3)}}});
  const CardExport card = accel_sim_export(report_columns(data).front());
  CHECK(values_of(card)["-gpgpu_n_clusters"] == "132");
  CHECK_FALSE(card.is_measured());
  CHECK_FALSE(roofline_export(report_columns(data).front()).is_measured());
}

}  // namespace
}  // namespace percycle::exports_test
