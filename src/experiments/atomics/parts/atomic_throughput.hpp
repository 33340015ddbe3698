#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expected/atomic_operations.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// Independent atomics of all lanes of some work-groups (kernel pair `atomic_throughput`).
struct IndependentAtomics {
  AtomicOperationName operation = kAtomicOperations[0];
  bool local = false;     ///< words in local memory, else in global memory
  bool returns = true;    ///< the kernel uses the returned values
  bool apart = false;     ///< each word has its own line, else words are neighbours; global only
  bool one_word = false;  ///< all lanes of all groups share one word; global only
  std::uint32_t groups = 1;
  std::uint32_t group_size = 1024;
  std::uint32_t sharers = 1;  ///< consecutive lanes that share a word; unused with one_word
};

/// Why this device cannot run these atomics; empty if it can. Pure.
std::optional<std::string> independent_atomics_unsupported(const DeviceInfo& device, const IndependentAtomics& atomics);

/// The dispatch, the reset of its words before each sample, and the check of its results. Throws
/// DeviceError.
Trial independent_atomics_trial(Device& device, const IndependentAtomics& atomics);

}  // namespace percycle
