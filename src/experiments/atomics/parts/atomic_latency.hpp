#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expected/atomic_operations.hpp"
#include "expected/atomic_type.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

inline constexpr std::uint32_t kAtomicLines = 1024;  ///< in global memory

/// The operations of a loop turn. The last two are controls.
enum class AtomicStep { chain, pair, load, none };

/// Dependent atomics of the lanes of one work-group (kernel pair `atomic_latency`).
struct AtomicChains {
  AtomicOperationName operation = kAtomicOperations[0];
  AtomicTypeName type = kAtomicTypes[0];
  AtomicStep step = AtomicStep::chain;
  bool local = false;
  bool own_words = false;
  std::uint32_t lanes = 1;
  std::uint32_t line = 0;  ///< of kAtomicLines in global memory
};

/// Words of a line, one for each lane at most.
std::uint32_t atomic_line_words(const DeviceInfo& device, AtomicType type);

/// Why this device cannot run these atomics; empty if it can. Pure.
std::optional<std::string> atomic_chains_unsupported(const DeviceInfo& device, const AtomicChains& config);

/// The dispatch, its control and the checks of both. Throws DeviceError.
Trial atomic_chains_trial(Device& device, const AtomicChains& config);

}  // namespace percycle
