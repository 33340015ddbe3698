#pragma once

#include <optional>

#include "device/device.hpp"
#include "device/opencl/headers.hpp"

namespace percycle::opencl {

/// Work that another library puts into a queue. Device::launch takes it as the kernel of dependent
/// launches, without bindings and parameters.
class OpenclForeignKernel : public Kernel {
 public:
  /// Enqueues the work once. Throws DeviceError.
  virtual void enqueue(cl_command_queue queue) = 0;
};

/// The API's objects behind a buffer; they live as long as it does.
struct OpenclHandles {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_mem memory = nullptr;
};

/// Empty if the buffer was not made through OpenCL. Throws DeviceError.
std::optional<OpenclHandles> raw_buffer(const Buffer& buffer);

}  // namespace percycle::opencl
