#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "vocabulary/optimization.hpp"

namespace percycle {

/// Whether the driver's compiler optimises; both are possible.
inline const WordsParameter kOptimize{
    "optimize",
    {"on", "off"},
    "on",
    "off: tell the driver's compiler not to optimise (-cl-opt-disable, VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT)"};

/// The values of `optimization` that the user wants.
std::vector<std::string> optimization_levels(const Options& options);

/// Whether the compiler optimises the point's kernels; true if the point does not say.
bool is_optimized(const Point& point);

/// The same kernel compiled as usual, to compare the machine code with.
std::shared_ptr<Kernel> optimized_twin(Device& device, KernelDesc desc);

}  // namespace percycle
