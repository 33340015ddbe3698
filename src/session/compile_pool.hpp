#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"
#include "session/code_reader.hpp"

namespace percycle {

/// Folder in the user's cache with the names of programs that drivers compiled.
inline constexpr const char* kProgramsFolder = "programs";

/// PERCYCLE_COMPILE_PROCESSES=NUMBER in the environment. Throws UsageError if it is not a number
/// from 0 to 256.
std::optional<std::size_t> wanted_processes();

/// The number of processes that compile for a device at once, unless wanted_processes() replaces
/// it: one per core that this process may use, at most 16, and at most one per GiB of the device's
/// memory, of which each takes a part. 0 on CPUs and below four cores: the measuring worker's
/// threads take less memory.
std::size_t compile_processes(const DeviceInfo& device, std::size_t cores);

/// Compiles the programs of these points and reads their machine code, each in one of `processes`
/// workers of its own, which are gone when this returns. The worker that measures then finds them
/// in the driver's cache and in percycle's own (KnownCode). Processes and not threads, because
/// drivers compile much under one lock: 79 OpenCL programs took NVIDIA's 41 s in one process and
/// 16 s in sixteen (H100, 2026-11-27). A compiler that crashes or hangs costs its program only.
void compile_in_processes(const DeviceInfo& device, const std::optional<CodeWish>& wish, const std::vector<Point>& points,
                          std::uint64_t seed, std::size_t processes, const std::atomic<bool>& stop);

/// Whether a driver seems to keep what other processes compiled, by the seconds that they took and
/// that the measuring worker took for the same programs afterwards.
bool is_kept(double compiled_s, double again_s);

}  // namespace percycle
