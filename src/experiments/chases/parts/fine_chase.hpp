#pragma once

#include "experiments/chases/parts/chase.hpp"

namespace percycle {

/// Most loads that one fine-grained dispatch times.
inline constexpr std::uint64_t kFineSteps = 512;

enum class FineChase {
  first_touch,  ///< every dispatch goes on through memory not loaded before (chase.chain.nodes() loads of it)
  second_pass,  ///< every dispatch walks the chain over and over, after a walk that is not timed
};

/// A chase whose every load is timed by the unit's clock (kernel pair `geometry`); the measurement's series `ticks` holds a row for each
/// sample. Before a first touch `evict_bytes` of other memory are read, so that building the chain left none of it in a cache. Needs
/// DeviceInfo::unit_clock. Paths global (pointers), texture and constant. Throws DeviceError.
Trial fine_chase_trial(Device& device, const Chase& asked, FineChase kind, std::uint64_t evict_bytes, std::uint64_t seed);

}  // namespace percycle
