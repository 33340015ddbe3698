#pragma once

#include <cstdint>
#include <vector>

#include "device/info.hpp"

namespace percycle::opencl {

/// Products of PTX's `mma.sync` that kernels have, by ten times the compute capability.
std::vector<MatrixShape> ptx_matrix_shapes(std::uint32_t capability);

/// Products of cl_intel_subgroup_matrix_multiply_accumulate, by the smallest subgroup size.
std::vector<MatrixShape> intel_matrix_shapes(std::uint32_t subgroup_size);

}  // namespace percycle::opencl
