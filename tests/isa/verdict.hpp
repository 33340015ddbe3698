#pragma once

#include <compare>
#include <string>

#include "codegen/assembly/timed_loop.hpp"
#include "codegen/programs/kernel_variants.hpp"

namespace percycle::audit {

/// A compiler's result for a variant.
struct Verdict {
  std::string found;  ///< the accesses of a turn of the timed loop
  /// Operations, of lanes and of the subgroup, per measured access; empty if there is none.
  std::string alu;
  /// Why the measurement would differ from the experiment's description; empty if it does not.
  std::string reason;

  auto operator<=>(const Verdict&) const = default;
};

/// The way an assembly dialect shows the hardware's actions.
struct Dialect {
  /// A load at one address for the subgroup has its own instruction.
  bool scalar_path = true;
  /// The mnemonic shows whether an atomic operation returns a value.
  bool shows_returns = true;
  /// No more passes follow: operations and registers are final.
  bool machine_code = true;
  /// Operations of all lanes that a unit starts while its first cache delivers one byte to each
  /// lane.
  double operations_per_byte = 1;
  double operations_per_local_byte = 0.5;  ///< the same for local memory
  std::uint32_t widest_local_load = 16;    ///< bytes per lane
};

/// Compares the listing with the accesses of a turn that the variant's experiment declares.
Verdict judge(const KernelVariant& variant, const Dialect& dialect, const isa::Listing& listing);

}  // namespace percycle::audit
