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
  X(clEnqueueBarrierWithWaitList)    \
  X(clEnqueueCopyBuffer)             \
  X(clEnqueueCopyBufferToImage)      \
  X(clEnqueueFillBuffer)             \
  X(clEnqueueMapBuffer)              \
  X(clEnqueueNDRangeKernel)          \
  X(clEnqueueReadBuffer)             \
  X(clEnqueueUnmapMemObject)         \
  X(clEnqueueWriteBuffer)            \
  X(clFinish)                        \
  X(clFlush)                         \
  X(clGetContextInfo)                \
  X(clGetDeviceIDs)                  \
  X(clGetDeviceInfo)                 \
  X(clGetEventInfo)                  \
  X(clGetEventProfilingInfo)         \
  X(clGetKernelInfo)                 \
  X(clGetKernelWorkGroupInfo)        \
  X(clGetMemObjectInfo)              \
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
  // OpenCL 2.1; null if the loader is older
  decltype(&::clGetKernelSubGroupInfo) clGetKernelSubGroupInfo = nullptr;
  decltype(&::clGetDeviceAndHostTimer) clGetDeviceAndHostTimer = nullptr;
};

/// Why the loader could not be opened; empty if functions() works.
const std::string& loader_problem();

/// The function table. Throws DeviceError if loader_problem() has a reason. The library is opened
/// at the first use of either function and never closed: drivers leave threads and exit handlers
/// behind that need its code.
const Functions& functions();

}  // namespace percycle::opencl
