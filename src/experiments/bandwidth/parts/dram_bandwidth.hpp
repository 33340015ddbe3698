#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// Passes over arrays in memory (kernel pair `dram_bandwidth`).
struct MemoryPasses {
  std::string op = "read";         ///< read, write, copy, scale or triad
  std::uint32_t width = 16;        ///< bytes of one access of an invocation: 4, 8 or 16
  std::uint64_t array_bytes = 0;   ///< bytes of each array; a multiple of chunk_bytes()
  std::uint32_t group_size = 256;  ///< a multiple of 16
  std::uint32_t unroll = 4;        ///< accesses of an invocation to each array: 1, 2, 4 or 8
  std::optional<std::uint32_t> subgroup_size{};
  bool in_host_memory = false;  ///< the arrays lie in page-locked memory of the host

  std::uint64_t chunk_bytes() const { return std::uint64_t{group_size} * unroll * width; }
};

/// Number of arrays: 1, 2 (copy, scale) or 3 (triad). A pass goes through each once.
std::uint32_t array_count(const std::string& op);

/// Why this device cannot run these passes; empty if it can. Pure.
std::optional<std::string> memory_passes_unsupported(const DeviceInfo& device, const MemoryPasses& config);

/// The trial: the device fills the arrays, a loop is a pass over all of them, and the sum of every
/// chunk is checked after each run. Throws DeviceError.
Trial memory_passes_trial(Device& device, const MemoryPasses& config, std::uint64_t seed);

}  // namespace percycle
