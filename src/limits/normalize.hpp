#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/provenance.hpp"
#include "limits/limit.hpp"

namespace percycle {

/// What is known of one bandwidth. GB/s are 10^9 bytes per second everywhere.
struct MeasuredBandwidth {
  std::optional<double> gb_s;  ///< of the whole device, by the time it took
  /// Bytes in one cycle of one unit by the units' own counters, read in the kernel that was timed: no clock went into it.
  std::optional<double> in_kernel_bytes_per_unit_cycle;
  std::optional<Sourced<double>> clock_mhz;     ///< what ran while it was measured
  std::optional<Sourced<std::uint32_t>> units;  ///< that took part, all that `gb_s` is of
  std::optional<Limit> limit;                   ///< of the path that was measured: load, texel, local, l2, l2_device or memory
};

/// A measured bandwidth against its limit. Every figure is absent where one that it is made from is.
struct NormalizedBandwidth {
  std::optional<double> gb_s;                        ///< as measured
  std::optional<double> bytes_per_unit_cycle;        ///< counted in the kernel, else gb_s divided by clock and units
  bool in_kernel = false;                            ///< which of the two
  std::optional<double> limit_gb_s;                  ///< at the clock that ran
  std::optional<double> limit_bytes_per_unit_cycle;  ///< for memory: at the clock that ran
  std::optional<double> efficiency;                  ///< 1 is the limit
  /// By how much gb_s divided by clock and units differs from what was counted in the kernel, relative to that: +0.01 is 1 % more.
  std::optional<double> disagreement;
  std::optional<Sourced<double>> clock_mhz;
  std::optional<Sourced<std::uint32_t>> units;
  std::optional<Provenance> limit_provenance;
  std::string suspect;  ///< why the figures cannot all be right, as an efficiency over 1 says; empty where they can
};

/// The arithmetic of
///   bytes per unit-cycle = bandwidth / (clock x units),   efficiency = bytes per unit-cycle / limit,
/// where bytes per unit-cycle that were counted in the kernel go before the division, and the limit of memory is one per second, so
/// that its efficiency needs no clock. Throws std::invalid_argument for a limit of something that is no bandwidth (units, lanes, alu_latency, boost).
NormalizedBandwidth normalize(const MeasuredBandwidth& measured);

}  // namespace percycle
