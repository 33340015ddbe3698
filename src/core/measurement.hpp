#pragma once

#include <algorithm>
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

/// A robust summary of one quantity over the samples of a point. A published figure has a median
/// and the other numbers that its document prints.
struct Summary {
  double median = 0;
  std::optional<double> mad{};  ///< median absolute deviation from the median, not scaled
  std::optional<double> min{};
  std::optional<double> max{};
  std::optional<std::uint64_t> n{};
};

/// Bytes that one operation moves to and from memory if every invocation does it once.
struct Work {
  std::uint64_t bytes_per_op = 0;        ///< by the whole dispatch
  std::uint64_t group_bytes_per_op = 0;  ///< by one work-group
};

/// Invocations that each perform every counted operation, for rates of operations.
struct Participants {
  std::uint64_t dispatch = 0;  ///< in the whole dispatch
  std::uint64_t group = 0;     ///< in one work-group
};

/// One run of the dependent-ALU chain (measure/alu_chain.hpp).
struct AluChainRun {
  std::uint64_t ops = 0;  ///< arithmetic operations; each depends on the one before it
  double ns = 0;          ///< duration of all `ops`
};

/// Runs of the dependent-ALU chain around the samples of a point.
struct AluChainRuns {
  double cycles_per_op = 0;  ///< latency of one operation on this architecture
  std::vector<AluChainRun> runs;
};

/// The samples of one point and their statistics, which can be recomputed from the samples. A
/// published figure has statistics, `printed`, warnings and, if its document gives it, the first of
/// `clocks_mhz`.
struct Measurement {
  std::vector<Sample> samples;
  std::vector<Sample> control_samples;  ///< from the control kernel; empty if there is none
  /// Share of the timed kernel's operations that the control kernel does, too. Empty: the control
  /// does the work around the operations.
  std::optional<double> control_share;
  /// Device time of the same dispatch with a loop count of 0 (launch, prologue, warm-up lap): the
  /// median, on a CPU the minimum.
  std::optional<double> idle_ns;

  /// The source of ns_per_op: "in-kernel clock", "device timer" or "host timer". idle_ns is
  /// subtracted from timers.
  std::string time_source;
  /// By name, with the unit in the name; absent if unknown. See derive_statistics().
  std::map<std::string, Summary> statistics;
  /// Effective core clock during the samples: the first of clocks_mhz.
  std::optional<Sourced<double>> clock_mhz;
  std::vector<Sourced<double>> clocks_mhz;  ///< every reading of that clock, most trusted first
  /// Rate of the unit's counter if it is fixed and so not the core clock.
  std::optional<double> counter_mhz;

  std::vector<TelemetrySample> telemetry;  ///< from the first sample to the last

  /// Runs before the first sample and after the last, made if no better source of the clock exists.
  std::optional<AluChainRuns> alu_chain;

  std::optional<Work> work;  ///< set by bandwidth experiments
  /// Set by experiments that measure a rate of operations.
  std::optional<Participants> participants;

  /// Values that a kernel noted of single operations, by name, with one row per sample: e.g.
  /// `ticks` of each access of a fine-grained chase.
  std::map<std::string, std::vector<std::vector<double>>> series;

  /// Share of the data set that all samples together walked; above 1: several laps.
  std::optional<double> share_walked;
  /// Properties that the API reports but does not let percycle choose: e.g. subgroup_size.
  std::map<std::string, std::string> observed;
  std::uint64_t verified_samples = 0;  ///< samples with a checked and correct result
  std::vector<std::string> warnings;
  std::optional<Codegen> codegen;  ///< machine code of the timed kernel; empty if unknown

  /// Published points only: figures that are more than a number in the printed unit ("~188", "57
  /// KiB"), by statistic, and the document's own limits ("limit_gb_per_s",
  /// "limit_bytes_per_unit_cycle", "efficiency").
  std::map<std::string, std::string> printed;
};

/// The statistic of that name; nullptr if there is none.
inline const Summary* find_statistic(const Measurement& measurement, std::string_view name) {
  const auto found = measurement.statistics.find(std::string(name));
  return found == measurement.statistics.end() ? nullptr : &found->second;
}

/// Its median.
inline std::optional<double> statistic_median(const Measurement& measurement, std::string_view name) {
  const Summary* found = find_statistic(measurement, name);
  return found ? std::optional(found->median) : std::nullopt;
}

/// Whether the statistics are printed in a document and have no samples behind them.
inline bool is_published(const Measurement& measurement) {
  return measurement.samples.empty() && measurement.time_source.empty();
}

/// Whether bytes_per_unit_cycle or ops_per_unit_cycle counts each unit's own cycles: in every
/// sample the work-groups noted their units and a cycle counter. Otherwise it was derived from a
/// clock.
inline bool counted_by_units(const Measurement& measurement) {
  return measurement.clock_mhz && measurement.clock_mhz->provenance == Provenance::measured_in_kernel &&
         std::all_of(measurement.samples.begin(), measurement.samples.end(),
                     [](const Sample& sample) { return sample.groups && sample.groups->groups_per_tick; });
}

/// One finished point.
struct PointResult {
  Point point;
  Outcome outcome;
  /// Present if the outcome is ok. An invalid point has the samples without statistics.
  std::optional<Measurement> measurement;
  /// Wall-clock time of the point, with its compilation if that was not done ahead. Absent for a
  /// simulated device and in records of earlier versions.
  std::optional<double> seconds{};
  /// Time before the point for compiling its own kernels and kernels of later points, and for
  /// reading their machine code. Absent if there was none.
  std::optional<double> compile_seconds{};
};

}  // namespace percycle
