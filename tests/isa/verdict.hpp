#pragma once

#include <compare>
#include <string>

#include "codegen/assembly/timed_loop.hpp"
#include "codegen/programs/kernel_variants.hpp"

namespace percycle::audit {

/// What a compiler made of a variant.
struct Verdict {
  std::string found;  ///< the accesses of a turn of the timed loop
  std::string alu;    ///< operations, of lanes and of the subgroup, to one of the accesses that are measured; empty where none is
  std::string reason;  ///< why the measurement would not be what the experiment says; empty where it holds

  auto operator<=>(const Verdict&) const = default;
};

/// How a dialect of assembly shows what hardware does.
struct Dialect {
  bool scalar_path = true;         ///< a load at one address for the subgroup has an instruction of its own
  bool shows_returns = true;       ///< whether an atomic operation returns something is in its mnemonic
  bool machine_code = true;        ///< no more passes follow: operations and registers are what runs
  double operations_per_byte = 1;  ///< of all lanes, that a unit starts while its first cache delivers one byte to each of them
  double operations_per_local_byte = 0.5;  ///< the same while local memory does
  std::uint32_t widest_local_load = 16;    ///< bytes of one lane
};

/// Holds the listing against what the variant's experiment says of a turn.
Verdict judge(const KernelVariant& variant, const Dialect& dialect, const isa::Listing& listing);

}  // namespace percycle::audit
