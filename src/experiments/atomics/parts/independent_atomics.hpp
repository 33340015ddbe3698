#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expected/atomic_operations.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// What kernel pair `atomic_throughput` is told of one point: work-groups whose lanes do atomics that wait for nothing.
struct IndependentAtomics {
  AtomicOperationName operation = kAtomicOperations[0];
  bool local = false;   ///< in local memory; else global
  bool returns = true;  ///< what an operation returns is used
  bool apart = false;   ///< each word in a line of its own; else the words of a group lie next to each other. Not of local memory
  bool one_word = false;  ///< all lanes of all groups share one word. Not of local memory
  std::uint32_t groups = 1;
  std::uint32_t group_size = 1024;
  std::uint32_t sharers = 1;  ///< lanes of a group, one after the other, that share a word; of no meaning for one_word
};

/// Why this device cannot do that. Pure.
std::optional<std::string> independent_atomics_unsupported(const DeviceInfo& device, const IndependentAtomics& what);

/// The dispatch, the start of its words before each sample, and the check of what it leaves. Throws DeviceError.
Trial independent_atomics_trial(Device& device, const IndependentAtomics& what);

}  // namespace percycle
