#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "device/device.hpp"
#include "experiments/experiment.hpp"
#include "measure/timed_kernel.hpp"

namespace percycle {

/// Compiles the kernels that these points time, without their memory, and hands out each. A kernel may come more than once: `device` is one that compiles
/// each once (CachingDevice). Leaves out copies and what does not compile. Ends early when `take` returns false.
void compile_timed_kernels(Device& device, std::vector<Point> points, std::uint64_t seed,
                           const std::function<bool(TimedKernel)>& take);

}  // namespace percycle
