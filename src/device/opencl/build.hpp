#pragma once

#include <memory>

#include "device/opencl/clocks.hpp"
#include "device/opencl/query.hpp"
#include "device/opencl/resources.hpp"

namespace percycle::opencl {

/// Compiles one kernel for the device. Throws DeviceError of kind `build` with the compiler's log,
/// std::invalid_argument for a description that does not fit the kernel or the device.
std::shared_ptr<OpenclKernel> build_kernel(const DeviceQuery& query, cl_context context, const Clocks& clocks,
                                           const KernelDesc& desc);

/// The driver's properties of the kernel compiled for the device.
std::optional<CodeInfo> code_info(const DeviceQuery& query, const DeviceInfo& info, const OpenclKernel& kernel);

/// The kernel's program from clGetProgramInfo. Throws DeviceError.
std::vector<CodeBinary> code_binaries(const OpenclKernel& kernel);

}  // namespace percycle::opencl
