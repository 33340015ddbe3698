#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "sim/memory_model.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Registers of an invocation of a kernel with macro VALUES; 0 for other kernels, whose registers
/// are not modelled.
std::uint32_t registers_of(const KernelDesc& kernel);

/// The groups of this kind that a unit of the model holds at once. The model has a residency.
std::uint64_t groups_that_fit(const Model& model, const ResidentGroups& groups);

}  // namespace percycle::sim
