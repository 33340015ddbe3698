#pragma once

#include <memory>
#include <type_traits>

#include "device/opencl/loader.hpp"

namespace percycle::opencl {

/// Releases an OpenCL object by the named member of Functions.
template <auto Release>
struct Releaser {
  template <typename Object>
  void operator()(Object* object) const {
    (functions().*Release)(object);
  }
};

template <typename Raw, auto Release>
using Handle = std::unique_ptr<std::remove_pointer_t<Raw>, Releaser<Release>>;

using Context = Handle<cl_context, &Functions::clReleaseContext>;
using Queue = Handle<cl_command_queue, &Functions::clReleaseCommandQueue>;
using Memory = Handle<cl_mem, &Functions::clReleaseMemObject>;
using Program = Handle<cl_program, &Functions::clReleaseProgram>;
using KernelHandle = Handle<cl_kernel, &Functions::clReleaseKernel>;
using Event = Handle<cl_event, &Functions::clReleaseEvent>;

}  // namespace percycle::opencl
