#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"

namespace percycle {

/// The subject of a published figure: six limits of a bandwidth (normalize.hpp), of which `l2` is
/// the intake of a unit and `l2_device` the output of all slices; eleven of a rate of operations;
/// then lanes, the latency of an operation, the number of units and their clock.
enum class Quantity {
  load,
  texel,
  local,
  l2,
  l2_device,
  memory,
  fp32,
  fp64,
  fp16,
  int32,
  int32_mul,
  special,
  matrix_fp16,
  matrix_tf32,
  matrix_fp64,
  matrix_fp8,
  matrix_int8,
  lanes,
  alu_latency,
  units,
  boost
};

/// The basis of a figure.
enum class Per {
  unit_cycle,    ///< bytes or results per cycle of one unit
  device_cycle,  ///< bytes per cycle of the whole device
  second,        ///< 10^9 bytes per second of the whole device
  none,          ///< a count or a clock
};

/// A quantity with its spelling in data files and tables.
struct QuantityName {
  Quantity quantity;
  std::string_view key;      ///< in limits.toml and in JSON: "load", "memory_gb_s"
  std::string_view meaning;  ///< unit of the figure: "bytes per unit-cycle", "MHz"
  Per per;
  bool whole;        ///< only whole numbers are valid
  bool of_a_device;  ///< devices have it, architectures do not
};

/// All quantities, in the order of listings.
std::span<const QuantityName> quantities();

/// The line of quantities() for one of them.
const QuantityName& name_of(Quantity quantity);

/// A published figure with its source.
struct Limit {
  Quantity quantity = Quantity::load;
  /// For `texel`: the texel sizes that it holds for, ascending; empty: all sizes.
  std::vector<std::uint32_t> texel_bytes;
  double value = 0;  ///< in the unit of the quantity's `meaning`; positive
  /// `catalogue`: shipped with percycle; `user`: from the user's own file.
  Provenance provenance = Provenance::unknown;
  std::string entry;   ///< the device or the architectures of its entry
  std::string source;  ///< document, section or page
  std::string quoted;  ///< text of the source
  /// How the value follows from `quoted`, or when it holds; may be empty.
  std::string note;
};

}  // namespace percycle
