#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"

namespace percycle {

/// What a published figure is of. The first six are maxima that a measured bandwidth can be held against (normalize.hpp), the others
/// say how many units there are, how fast they run and how long one of their operations takes. `l2_device` is what all slices of the L2 deliver together; `l2` what one unit
/// takes from it: the smaller of the two binds.
enum class Quantity { load, texel, local, l2, l2_device, memory, lanes, alu_latency, units, boost };

/// What one figure of a quantity is counted over.
enum class Per {
  unit_cycle,    ///< bytes in one cycle of one unit
  device_cycle,  ///< bytes in one cycle of the whole device
  second,        ///< 10^9 bytes in one second of the whole device
  none,          ///< a count or a clock
};

/// A quantity as data files and tables spell it.
struct QuantityName {
  Quantity quantity;
  std::string_view key;      ///< in limits.toml and in JSON: "load", "memory_gb_s"
  std::string_view meaning;  ///< of the figure: "bytes per unit-cycle", "MHz"
  Per per;
  bool whole;        ///< only whole numbers can be
  bool of_a_device;  ///< an architecture has no such figure
};

/// All quantities, in the order in which they are listed.
std::span<const QuantityName> quantities();

/// The line of quantities() for one of them.
const QuantityName& name_of(Quantity quantity);

/// A published figure, and who says so.
struct Limit {
  Quantity quantity = Quantity::load;
  std::vector<std::uint32_t> texel_bytes;       ///< of `texel`: the sizes of a texel it holds for, ascending; empty: all sizes
  double value = 0;                             ///< in the unit of the quantity's `meaning`; positive
  Provenance provenance = Provenance::unknown;  ///< `catalogue`: comes with percycle; `user`: from the user's own file
  std::string of;                               ///< the device or the architectures whose entry says so
  std::string source;                           ///< document, section or page
  std::string quoted;                           ///< what the source says
  std::string note;  ///< how the value follows from that, or when it holds; empty where it needs no word
};

}  // namespace percycle
