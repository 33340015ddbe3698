#pragma once

#include <string>

#include "device/opencl/headers.hpp"

// Every entry point that is called, all in OpenCL 1.2.
#define PERCYCLE_OPENCL_FUNCTIONS(X) \
  X(clBuildProgram)                  \
  X(clCreateBuffer)                  \
  X(clCreateCommandQueue)            \
  X(clCreateContext)                 \
  X(clCreateImage)                   \
  X(clCreateKernel)                  \
  X(clCreateProgramWithSource)       \
  X(clEnqueueMapBuffer)              \
  X(clEnqueueNDRangeKernel)          \
  X(clEnqueueReadBuffer)             \
  X(clEnqueueUnmapMemObject)         \
  X(clEnqueueWriteBuffer)            \
  X(clFinish)                        \
  X(clGetDeviceIDs)                  \
  X(clGetDeviceInfo)                 \
  X(clGetEventInfo)                  \
  X(clGetEventProfilingInfo)         \
  X(clGetKernelInfo)                 \
  X(clGetKernelWorkGroupInfo)        \
  X(clGetPlatformIDs)                \
  X(clGetPlatformInfo)               \
  X(clGetProgramBuildInfo)           \
  X(clGetProgramInfo)                \
  X(clGetSupportedImageFormats)      \
  X(clReleaseCommandQueue)           \
  X(clReleaseContext)                \
  X(clReleaseEvent)                  \
  X(clReleaseKernel)                 \
  X(clReleaseMemObject)              \
  X(clReleaseProgram)                \
  X(clSetKernelArg)                  \
  X(clWaitForEvents)

namespace percycle::opencl {

/// The OpenCL loader's entry points, each under its own name.
struct Functions {
#define PERCYCLE_MEMBER(name) decltype(&::name) name = nullptr;
  PERCYCLE_OPENCL_FUNCTIONS(PERCYCLE_MEMBER)
#undef PERCYCLE_MEMBER
  decltype(&::clGetKernelSubGroupInfo) clGetKernelSubGroupInfo = nullptr;  ///< OpenCL 2.1; null where the loader is older
};

/// Why the loader could not be opened; empty when functions() can be used.
const std::string& loader_problem();

/// The table. Throws DeviceError when loader_problem() says why there is none. The library is opened on the first use of either
/// function and never closed: drivers leave threads and exit handlers behind that must keep their code.
const Functions& functions();

}  // namespace percycle::opencl
