#pragma once

#include <string>

#include "device/kernel.hpp"
#include "device/opencl/clocks.hpp"

namespace percycle::opencl {

/// The whole program text: definitions, prelude, constants, the kernel's file. Throws
/// std::invalid_argument for an unknown kernel and for a description that cannot be written as
/// text.
std::string program_source(const KernelDesc& desc, const Clocks& clocks);

}  // namespace percycle::opencl
