#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "experiments/experiment.hpp"
#include "measure/timed_kernel.hpp"

namespace percycle {

/// A kernel timed by points, before a driver compiles it.
struct TimedDesc {
  Point point;  ///< one of those that time it
  KernelDesc desc;
  std::optional<std::vector<TurnAccess>> turn;  ///< as TimedKernel::turn
  bool has_loop = true;                         ///< as TimedKernel::has_loop
  std::optional<TurnArithmetic> arithmetic{};   ///< as TimedKernel::arithmetic
  std::optional<KernelDesc> optimized{};        ///< as TimedKernel::optimized
  std::optional<KernelDesc> control{};          ///< the control's kernel; its code is not read
};

/// The kernels that these points time on the device, without their memory, each once. Skips copies
/// and points that cannot be prepared.
std::vector<TimedDesc> timed_kernels(const DeviceInfo& device, std::vector<Point> points, std::uint64_t seed);

/// Compiles these kernels on all cores; `device` caches each for later (CachingDevice). Skips
/// kernels that do not compile. Calls `compiled` after each attempt, by one thread at a time.
std::vector<TimedKernel> compile(Device& device, std::span<const TimedDesc> wanted, const std::function<void()>& compiled);

}  // namespace percycle
