#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/provenance.hpp"
#include "limits/limit.hpp"

namespace percycle {

/// The known values of one bandwidth. GB/s are 10^9 bytes per second everywhere.
struct MeasuredBandwidth {
  std::optional<double> gb_s;  ///< whole device, by elapsed time
  /// Bytes per cycle of one unit by the units' own counters, read in the timed kernel: independent
  /// of any clock.
  std::optional<double> in_kernel_bytes_per_unit_cycle;
  std::optional<Sourced<double>> clock_mhz;     ///< clock during the measurement
  std::optional<Sourced<std::uint32_t>> units;  ///< units that contributed to `gb_s`
  /// Limit of the measured path: load, texel, local, l2, l2_device or memory.
  std::optional<Limit> limit;
};

/// A measured bandwidth against its limit. A figure is empty if one of its inputs is.
struct NormalizedBandwidth {
  std::optional<double> gb_s;  ///< as measured
  /// Counted in the kernel, else gb_s divided by clock and units.
  std::optional<double> bytes_per_unit_cycle;
  bool in_kernel = false;                            ///< whether it was counted in the kernel
  std::optional<double> limit_gb_s;                  ///< at the measured clock
  std::optional<double> limit_bytes_per_unit_cycle;  ///< for memory: at the measured clock
  std::optional<double> efficiency;                  ///< 1 is the limit
  /// Relative difference of gb_s divided by clock and units from the count in the kernel: +0.01 is
  /// 1 % more.
  std::optional<double> disagreement;
  std::optional<Sourced<double>> clock_mhz;
  std::optional<Sourced<std::uint32_t>> units;
  std::optional<Provenance> limit_provenance;
  std::string suspect;  ///< why the figures contradict each other, e.g. an efficiency over 1
};

/// bytes per unit-cycle = bandwidth / (clock x units), efficiency = bytes per unit-cycle / limit; a
/// count in the kernel goes first. A rate of operations has operations instead of bytes. The limit
/// of memory needs no clock. Throws std::invalid_argument for a limit of neither kind.
NormalizedBandwidth normalize(const MeasuredBandwidth& measured);

}  // namespace percycle
