#pragma once

#include "device/sim/meaning.hpp"

namespace percycle::sim {

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
void instruction_stream(const Execution& run, MemoryModel& memory);
void intensity(const Execution& run, MemoryModel& memory);
void l2_map(const Execution& run, MemoryModel& memory);
void latency(const Execution& run, MemoryModel& memory);
void launch(const Execution& run, MemoryModel& memory);
void private_caches(const Execution& run, MemoryModel& memory);
void residency(const Execution& run, MemoryModel& memory);
void sharing(const Execution& run, MemoryModel& memory);
void unit_bandwidth(const Execution& run, MemoryModel& memory);

}  // namespace percycle::sim
