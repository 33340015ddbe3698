#pragma once

#include "experiments/chases/parts/latency.hpp"

namespace percycle {

/// Most timed loads of one fine-grained dispatch.
inline constexpr std::uint64_t kFineSteps = 512;

enum class FineChase {
  first_touch,  ///< every dispatch continues through new memory, with chase.chain.nodes() loads
  second_pass,  ///< every dispatch walks the chain repeatedly, after an untimed walk
};

/// The unit's clock times every load (kernel pair `geometry`); series `ticks` has a row per sample.
/// A first touch reads `evict_bytes` of other memory before, so that no cache holds the chain.
/// Needs a unit_clock and path global (pointers), texture or constant. Throws DeviceError.
Trial fine_chase_trial(Device& device, const Chase& requested, FineChase kind, std::uint64_t evict_bytes, std::uint64_t seed);

}  // namespace percycle
