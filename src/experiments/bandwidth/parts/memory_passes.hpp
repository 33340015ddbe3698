#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// What kernel pair `dram_bandwidth` is told of one point.
struct MemoryPasses {
  std::string op = "read";         ///< read, write, copy, scale or triad
  std::uint32_t width = 16;        ///< bytes of one access of an invocation: 4, 8 or 16
  std::uint64_t array_bytes = 0;   ///< of each array; a multiple of chunk_bytes()
  std::uint32_t group_size = 256;  ///< a multiple of 16
  std::uint32_t unroll = 4;        ///< accesses of an invocation to each array: 1, 2, 4 or 8
  std::optional<std::uint32_t> subgroup_size{};

  std::uint64_t chunk_bytes() const { return std::uint64_t{group_size} * unroll * width; }
};

/// Arrays that are there: 1, 2 (copy, scale) or 3 (triad). As many are moved through in a pass.
std::uint32_t array_count(const std::string& op);

/// Why this device cannot do this; decided before anything runs. Pure.
std::optional<std::string> memory_passes_unsupported(const DeviceInfo& device, const MemoryPasses& what);

/// The runs: filled on the device; a loop is a pass over all arrays; the sum of every chunk is checked after each run. Throws DeviceError.
Trial memory_passes_trial(Device& device, const MemoryPasses& what, std::uint64_t seed);

}  // namespace percycle
