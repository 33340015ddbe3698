#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen.hpp"
#include "core/outcome.hpp"
#include "core/parameters.hpp"
#include "core/provenance.hpp"
#include "core/sample.hpp"
#include "core/telemetry.hpp"

namespace percycle {

/// A robust summary of one quantity over the samples of a point. Of a published figure only the median is known, and what else its document prints.
struct Summary {
  double median = 0;
  std::optional<double> mad{};  ///< median absolute deviation from the median, not scaled
  std::optional<double> min{};
  std::optional<double> max{};
  std::optional<std::uint64_t> n{};
};

/// Statistics that cannot be 0 or below; a net value (less its control's) can.
inline constexpr std::array<std::string_view, 13> kPositiveStatistics{"ns_per_op",
                                                                      "cycles_per_op",
                                                                      "device_ns_per_op",
                                                                      "control_ns_per_op",
                                                                      "control_cycles_per_op",
                                                                      "fastest_ns_per_op",
                                                                      "fastest_cycles_per_op",
                                                                      "gb_per_s",
                                                                      "bytes_per_unit_cycle",
                                                                      "gops_per_s",
                                                                      "ops_per_unit_cycle",
                                                                      "units",
                                                                      "groups_at_once"};

inline bool is_positive_statistic(std::string_view name) {
  return std::find(kPositiveStatistics.begin(), kPositiveStatistics.end(), name) != kPositiveStatistics.end();
}

/// The bytes that one operation moves, to and from memory, when every invocation does it once.
struct Work {
  std::uint64_t bytes_per_op = 0;        ///< of the whole dispatch
  std::uint64_t group_bytes_per_op = 0;  ///< of one work-group
};

/// Invocations that each do every one of the operations that are counted, where a rate of operations is measured.
struct Participants {
  std::uint64_t dispatch = 0;  ///< of the whole dispatch
  std::uint64_t group = 0;     ///< of one work-group
};

/// One run of the dependent-ALU chain (measure/alu_chain.hpp).
struct AluChainRun {
  std::uint64_t ops = 0;  ///< arithmetic operations, each waiting for the one before it
  double ns = 0;          ///< that they took
};

/// The dependent-ALU chain beside the samples of a point.
struct AluChainRuns {
  double cycles_per_op = 0;  ///< latency of one of its operations on this architecture
  std::vector<AluChainRun> runs;
};

/// What one point's samples say. All samples are kept; the statistics can be made again from them. What a document published has
/// statistics and, where it says them, the first of the clocks, `printed` and warnings.
struct Measurement {
  std::vector<Sample> samples;
  std::vector<Sample> control_samples;  ///< of the control kernel; empty where there is none
  /// Where the control does some of the operations, too: how many, of those of the timed kernel. None: it does what stands beside them.
  std::optional<double> control_share;
  std::optional<double>
      idle_ns;  ///< device time of the same dispatch with a loop count of 0 (launch, prologue, warm-up lap): the median, on a CPU the least

  /// Where ns_per_op comes from: "in-kernel clock", "device timer" (idle_ns taken off) or "host timer" (likewise).
  std::string time_source;
  /// By name, each with its unit in the name: ns_per_op, cycles_per_op, device_ns_per_op (nothing taken off), control_ns_per_op,
  /// control_cycles_per_op, net_ns_per_op, net_cycles_per_op (less the control), fastest_* (statistics.hpp); where there is `work`:
  /// gb_per_s, bytes_per_unit_cycle, units, groups_at_once; where there are `participants`: gops_per_s, ops_per_unit_cycle and the latter
  /// two. Absent where not known.
  std::map<std::string, Summary> statistics;
  std::optional<Sourced<double>> clock_mhz;  ///< effective core clock during the samples: the first of clocks_mhz
  std::vector<Sourced<double>> clocks_mhz;   ///< all that is known of that clock, most trusted first
  std::optional<double> counter_mhz;         ///< rate of the unit's counter where it is a fixed rate and so not a clock

  std::vector<TelemetrySample> telemetry;  ///< of the time from the first sample to the last

  std::optional<AluChainRuns> alu_chain;  ///< before the first sample and after the last, where nothing better tells the clock

  std::optional<Work> work;                  ///< of an experiment that measures bandwidth
  std::optional<Participants> participants;  ///< of one that measures how many operations are done in a time

  /// What a kernel noted of each single operation, by name: one row for each sample, e.g. `ticks` of each access of a fine-grained chase.
  std::map<std::string, std::vector<std::vector<double>>> series;

  std::optional<double> share_walked;           ///< of the data set, by all samples together; above 1: laps
  std::map<std::string, std::string> observed;  ///< what the API let us see, not choose: e.g. subgroup_size
  std::uint64_t verified_samples = 0;           ///< samples whose result was checked and right
  std::vector<std::string> warnings;
  std::optional<Codegen> codegen;  ///< of the timed kernel, as far as anything is known

  /// Of a published point, as its document has it: figures that are more than the number in the printed unit ("~188", "57 KiB"), by the name of the
  /// statistic, and what it holds them against ("limit_gb_per_s", "limit_bytes_per_unit_cycle", "efficiency").
  std::map<std::string, std::string> printed;
};

/// Whether there is nothing behind the statistics: a document printed them.
inline bool is_published(const Measurement& measurement) {
  return measurement.samples.empty() && measurement.time_source.empty();
}

/// Whether bytes_per_unit_cycle (ops_per_unit_cycle) is what each unit moved (did) by its own cycles: every sample's work-groups noted their units and a counter of
/// cycles. Else a clock went into it.
inline bool counted_by_units(const Measurement& measurement) {
  return measurement.clock_mhz && measurement.clock_mhz->provenance == Provenance::measured_in_kernel &&
         std::all_of(measurement.samples.begin(), measurement.samples.end(),
                     [](const Sample& sample) { return sample.groups && sample.groups->groups_per_tick; });
}

/// One finished point.
struct PointResult {
  Point point;
  Outcome outcome;
  std::optional<Measurement> measurement;  ///< present when outcome is ok; for an invalid point, the samples without statistics
  /// On the clock on the wall, with its compiling where that was not done ahead; absent of a simulated device, and in records of earlier versions.
  std::optional<double> seconds{};
};

}  // namespace percycle
