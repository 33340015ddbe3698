#include "exports/accel_sim.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "core/figures.hpp"
#include "core/units.hpp"

// Sources: gpgpu-sim_distribution, commit 667834c: src/gpgpu-sim/gpu-sim.cc (the options),
// src/gpgpu-sim/gpu-cache.h (caches), src/cuda-sim/cuda-sim.cc (instructions);
// accel-sim-framework, commit 2260456: util/tuner/GPU_Microbenchmark (the formulas),
// gpu-simulator/trace-driven/trace_driven.cc (options of traces).

namespace percycle {
namespace {

/// The sector of the simulator's sectored caches, and the sectors of a line.
constexpr std::uint64_t kSector = 32;
constexpr std::uint64_t kSectorsOfLine = 4;

/// The fields of a cache that percycle does not measure, as in SM90_H100 of the tested
/// configurations: policies and index of the sets, MSHRs and queues.
constexpr const char* kPoliciesOfL1 = "L:T:m:L:L,A:512:64,16:0,32";
constexpr const char* kPoliciesOfConstants = "L:R:f:N:L,S:2:64,4";
constexpr const char* kUnmeasuredFields =
    "replacement, write policy, index of the sets, MSHRs and queues are not measured; written as in SM90_H100 of the tested "
    "configurations";

/// An instruction in a list of the simulator: ADD, MAX, MUL, MAD, DIV, and SHFL of integers.
using Instructions = std::span<const char* const>;
constexpr std::array kInt{"int32-add", "int32-max", "int32-mul", "int32-mad", "uint32-div-irregular", "subgroup-shuffle"};
constexpr std::array kFp{"fp32-add", "fp32-max", "fp32-mul", "fp32-fma", "fp32-div-irregular"};
constexpr std::array kDp{"fp64-add", "fp64-max", "fp64-mul", "fp64-fma", "fp64-div"};
constexpr std::array kSfu{"fp32-rsqrt-fast"};

std::string whole(double value) { return fmt::format("{:.0f}", std::max(std::round(value), 1.0)); }

/// Collects the options in the order of the files.
class SimulatorOptions {
 public:
  explicit SimulatorOptions(const KeyColumn& card) : title_(card.title), readings_(card) {}

  CardExport finish() && {
    add_cores();
    add_latencies();
    add_caches();
    add_instructions();
    miss("-gpgpu_clock_domains", "the clocks of interconnect, L2 and memory are unknown");
    miss("-gpgpu_n_mem", "the number of memory channels is unknown");
    CardExport result{title_, core_, std::move(missing_), {{"gpgpusim.config", config_text(core_)}}};
    if (!trace_.empty()) result.files.push_back({"trace.config", config_text(trace_)});
    std::ranges::move(trace_, std::back_inserter(result.values));
    return result;
  }

 private:
  void miss(const char* name, std::string reason) { missing_.push_back({name, std::move(reason)}); }

  void add_count(const char* name, const std::optional<CardNumber>& count, const char* missing) {
    if (count)
      core_.push_back({name, whole(count->value), {*count}});
    else
      miss(name, missing);
  }

  /// The difference of two latencies, which the simulator adds.
  void add_latency(const char* name, const std::optional<CardNumber>& whole_way, const std::optional<CardNumber>& first_part,
                   const char* missing) {
    if (!whole_way || !first_part || whole_way->value <= first_part->value)
      miss(name, missing);
    else
      core_.push_back({name, whole(whole_way->value - first_part->value), {*whole_way, *first_part}});
  }

  void add_cores() {
    const auto units = readings_.units();
    add_count("-gpgpu_n_clusters", units, "the number of units is unknown");
    if (units) core_.push_back({"-gpgpu_n_cores_per_cluster", "1", {*units}});
    const auto invocations = readings_.resident("invocations", [](const Residency& unit) { return unit.invocations; });
    const auto lanes = readings_.subgroup_size();
    if (invocations && lanes)
      core_.push_back(
          {"-gpgpu_shader_core_pipeline", whole(invocations->value) + ':' + whole(lanes->value), {*invocations, *lanes}});
    else
      miss("-gpgpu_shader_core_pipeline", "the invocations that a unit holds were not measured");
    add_count("-gpgpu_shader_cta", readings_.resident("work-groups", [](const Residency& unit) { return unit.groups; }),
              "the work-groups that a unit holds were not measured");
    add_count("-gpgpu_shader_registers", readings_.resident("registers", [](const Residency& unit) { return unit.registers; }),
              "the registers of a unit were not measured");
    add_count("-gpgpu_shmem_size",
              readings_.resident("bytes of local memory", [](const Residency& unit) { return unit.local_bytes; }),
              "the local memory of a unit was not measured");
    add_count("-gpgpu_shmem_per_block", readings_.local_memory_of_group(), "the driver states no local memory");
    add_count("-gpgpu_num_sched_per_core", readings_.schedulers(), "the schedulers of a unit were not measured");
  }

  void add_latencies() {
    const auto latency_of = [&](const char* level) {
      const auto found = readings_.level(level);
      return found ? found->latency() : std::nullopt;
    };
    const auto first = latency_of("L1");
    const auto second = latency_of("L2");
    add_count("-gpgpu_l1_latency", first, "the latency of the L1 in cycles was not measured");
    add_count("-gpgpu_smem_latency", readings_.local_latency(), "the latency of local memory in cycles was not measured");
    add_latency("-gpgpu_l2_rop_latency", second, first, "the latencies of L1 and L2 in cycles were not both measured");
    add_latency("-dram_latency", readings_.memory_latency(), second,
                "the latencies of L2 and memory in cycles were not both measured");
  }

  void add_caches() {
    if (add_cache("-gpgpu_cache:dl1", readings_.level("L1"), kPoliciesOfL1)) {
      const CardNumber size = readings_.level("L1")->size();
      // Otherwise the simulator takes the size from the memory that both share.
      core_.push_back({"-gpgpu_adaptive_cache_config", "0", {size}});
      core_.push_back({"-gpgpu_unified_l1d_size", "0", {size}});
    }
    add_cache("-gpgpu_const_cache:l1", readings_.level("constant L1", "constant"), kPoliciesOfConstants);
    miss("-gpgpu_cache:dl2", "its fields are those of one partition of memory, whose number is unknown");
    miss("-gpgpu_cache:il1", "lines and ways of instruction caches are not measured");
  }

  bool add_cache(const char* name, const std::optional<LevelReading>& found, const char* policies) {
    if (!found || !found->level->line_bytes) {
      miss(name, "size and line of the cache were not both measured");
      return false;
    }
    const HierarchyLevel& level = *found->level;
    if (!level.ways || !level.sets) {
      miss(name, fmt::format("the ways of the cache are unknown; its size is {}, its line {}", format_bytes(level.size_bytes),
                             format_bytes(*level.line_bytes)));
      return false;
    }
    const bool is_sectored = level.sector_bytes == kSector && level.line_bytes == kSector * kSectorsOfLine;
    if (!std::has_single_bit(*level.sets) || !std::has_single_bit(*level.line_bytes)) {
      miss(name, "the simulator takes sets and lines that are powers of two");
      return false;
    }
    core_.push_back(
        {name,
         fmt::format("{}:{}:{}:{},{}", is_sectored ? 'S' : 'N', *level.sets, *level.line_bytes, *level.ways, policies),
         {found->size(), found->sets(), found->line(), found->ways()}});
    miss(name, kUnmeasuredFields);
    return true;
  }

  void add_instructions() {
    add_list("-ptx_opcode_latency_int", kInt, &SimulatorOptions::latency_of);
    add_list("-ptx_opcode_initiation_int", kInt, &SimulatorOptions::interval_of);
    add_list("-ptx_opcode_latency_fp", kFp, &SimulatorOptions::latency_of);
    add_list("-ptx_opcode_initiation_fp", kFp, &SimulatorOptions::interval_of);
    add_list("-ptx_opcode_latency_dp", kDp, &SimulatorOptions::latency_of);
    add_list("-ptx_opcode_initiation_dp", kDp, &SimulatorOptions::interval_of);
    add_list("-ptx_opcode_latency_sfu", kSfu, &SimulatorOptions::latency_of);
    add_list("-ptx_opcode_initiation_sfu", kSfu, &SimulatorOptions::interval_of);
    add_pair("-trace_opcode_latency_initiation_int", "int32-mad");
    add_pair("-trace_opcode_latency_initiation_sp", "fp32-fma");
    add_pair("-trace_opcode_latency_initiation_dp", "fp64-fma");
    add_pair("-trace_opcode_latency_initiation_sfu", "fp32-rsqrt-fast");
  }

  using Field = std::optional<ExportedValue>;

  Field latency_of(const char* instruction) const {
    const auto latency = readings_.exported(instruction, figures::kNetCyclesPerOp);
    if (!latency) return std::nullopt;
    return ExportedValue{{}, whole(latency->value), {*latency}};
  }

  /// Cycles from one subgroup's instruction to the next of one scheduler.
  Field interval_of(const char* instruction) const {
    const auto rate = readings_.exported(instruction, figures::kOpsPerUnitCycle);
    const auto schedulers = readings_.schedulers();
    const auto lanes = readings_.subgroup_size();
    if (!rate || !schedulers || !lanes) return std::nullopt;
    return ExportedValue{{}, whole(lanes->value * schedulers->value / rate->value), {*rate, *schedulers, *lanes}};
  }

  /// A list needs all its fields: the simulator leaves the others undefined.
  void add_list(const char* name, Instructions instructions, Field (SimulatorOptions::*field_of)(const char*) const) {
    ExportedValue list{name, {}, {}};
    std::vector<std::string> unknown;
    for (const char* instruction : instructions) {
      const Field field = (this->*field_of)(instruction);
      if (!field) {
        unknown.emplace_back(instruction);
        continue;
      }
      list.text += (list.text.empty() ? "" : ",") + field->text;
      list.from.insert(list.from.end(), field->from.begin(), field->from.end());
    }
    if (unknown.empty())
      core_.push_back(std::move(list));
    else
      miss(name,
           fmt::format("not measured: {}{}", fmt::join(unknown, ", "),
                       field_of == &SimulatorOptions::interval_of && !readings_.schedulers() ? ", schedulers of a unit" : ""));
  }

  void add_pair(const char* name, const char* instruction) {
    const Field latency = latency_of(instruction);
    const Field interval = interval_of(instruction);
    if (!latency || !interval) {
      miss(name, fmt::format("latency, rate or schedulers were not measured: {}", instruction));
      return;
    }
    ExportedValue pair{name, latency->text + ',' + interval->text, latency->from};
    pair.from.insert(pair.from.end(), interval->from.begin(), interval->from.end());
    trace_.push_back(std::move(pair));
  }

  /// A line per option with its records as comments. "Device Name = " is what Accel-Sim's tuner
  /// looks for.
  std::string config_text(const std::vector<ExportedValue>& options) const {
    std::string text = fmt::format("# Device Name = {}\n", title_);
    for (const ExportedValue& option : options) {
      for (const CardNumber& reading : option.from)
        text += fmt::format("\n# {} {}: {}", format_quantity(reading.value), reading.words, record_words(reading));
      text += fmt::format("\n{} {}\n", option.name, option.text);
    }
    return text;
  }

  std::string title_;
  CardReadings readings_;
  std::vector<ExportedValue> core_;
  std::vector<ExportedValue> trace_;
  std::vector<MissingValue> missing_;
};

}  // namespace

CardExport accel_sim_export(const KeyColumn& card) {
  CardExport result = SimulatorOptions(card).finish();
  add_lists(result, kAccelSim);
  return result;
}

}  // namespace percycle
