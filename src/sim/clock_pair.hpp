#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sim/memory_model.hpp"

namespace percycle::sim {

/// Simulates a kernel's reads of its clocks around the timed part: `ClockReadings` of trial.hpp.
class ClockPair {
 public:
  explicit ClockPair(MemoryModel& memory) : memory_(memory) {
    counts_[2] = memory_.device_clock();
    counts_[0] = memory_.unit_clock();
  }

  void end() {
    counts_[1] = memory_.unit_clock();
    counts_[3] = memory_.device_clock();
  }

  /// Writes the four counts to the head of the out buffer.
  void write(std::span<std::byte> out) const { std::memcpy(out.data(), counts_.data(), sizeof counts_); }

 private:
  MemoryModel& memory_;
  std::array<std::uint64_t, 4> counts_{};
};

}  // namespace percycle::sim
