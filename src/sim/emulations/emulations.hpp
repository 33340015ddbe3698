#pragma once

#include <cstring>
#include <span>

#include "sim/emulation.hpp"

namespace percycle::sim {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kVectorBytes = 16;     // of the widest load
constexpr std::uint32_t kAtomicsPerLoop = 16;  // of a lane
constexpr std::uint64_t kClockWords = 4;       // 64-bit words at the head of a chain's out buffer
// Walks by several subgroups or along two paths.
constexpr std::uint64_t kLoadsPerTurn = 31;
constexpr std::uint64_t kLinksOffset = 32;    // in `state`
constexpr std::uint32_t kConstantBytes = 16;  // of an element

// Words of `state` with a kernel's own clocks.
constexpr std::size_t kUnitTicksWord = 2;
constexpr std::size_t kDeviceTicksWord = 6;

inline std::uint32_t word_at(std::span<const std::byte> bytes, std::uint64_t i) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + i * sizeof word, sizeof word);
  return word;
}

inline void put_word(std::span<std::byte> bytes, std::uint64_t i, std::uint32_t word) {
  std::memcpy(bytes.data() + i * sizeof word, &word, sizeof word);
}

// The meaning of each kernel pair, in the file of the same name.
void access_pattern(const Execution& run, MemoryModel& memory);
void alu_chain(const Execution& run, MemoryModel& memory);
void atomic_handover(const Execution& run, MemoryModel& memory);
void atomic_latency(const Execution& run, MemoryModel& memory);
void atomic_throughput(const Execution& run, MemoryModel& memory);
void cache_bandwidth(const Execution& run, MemoryModel& memory);
void chain(const Execution& run, MemoryModel& memory);
void chunk_sums(const Execution& run, MemoryModel& memory);
void constant_words(const Execution& run, MemoryModel& memory);
void dram_bandwidth(const Execution& run, MemoryModel& memory);
void fill(const Execution& run, MemoryModel& memory);
void geometry(const Execution& run, MemoryModel& memory);
void instruction_cache(const Execution& run, MemoryModel& memory);
void instruction_chain(const Execution& run, MemoryModel& memory);
void instruction_sharing(const Execution& run, MemoryModel& memory);
void instruction_stream(const Execution& run, MemoryModel& memory);
void intensity(const Execution& run, MemoryModel& memory);
void l2_map(const Execution& run, MemoryModel& memory);
void latency(const Execution& run, MemoryModel& memory);
void launch(const Execution& run, MemoryModel& memory);
void private_caches(const Execution& run, MemoryModel& memory);
void residency(const Execution& run, MemoryModel& memory);
void result_sums(const Execution& run, MemoryModel& memory);
void sharing(const Execution& run, MemoryModel& memory);
void texture_bandwidth(const Execution& run, MemoryModel& memory);
void unit_bandwidth(const Execution& run, MemoryModel& memory);

}  // namespace percycle::sim
