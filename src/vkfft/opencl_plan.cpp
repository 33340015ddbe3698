#include "device/opencl/errors.hpp"
#include "device/opencl/foreign_kernel.hpp"
#include "device/opencl/loader.hpp"

// VkFFT calls the API by its own names, and percycle links no loader.
#define clBuildProgram ::percycle::opencl::functions().clBuildProgram
#define clCreateBuffer ::percycle::opencl::functions().clCreateBuffer
#define clCreateCommandQueue ::percycle::opencl::functions().clCreateCommandQueue
#define clCreateKernel ::percycle::opencl::functions().clCreateKernel
#define clCreateProgramWithBinary ::percycle::no_program
#define clCreateProgramWithSource ::percycle::opencl::functions().clCreateProgramWithSource
#define clEnqueueNDRangeKernel ::percycle::opencl::functions().clEnqueueNDRangeKernel
#define clEnqueueWriteBuffer ::percycle::opencl::functions().clEnqueueWriteBuffer
#define clFinish ::percycle::opencl::functions().clFinish
#define clGetDeviceInfo ::percycle::opencl::functions().clGetDeviceInfo
#define clGetProgramBuildInfo ::percycle::opencl::functions().clGetProgramBuildInfo
#define clGetProgramInfo ::percycle::opencl::functions().clGetProgramInfo
#define clReleaseCommandQueue ::percycle::opencl::functions().clReleaseCommandQueue
#define clReleaseKernel ::percycle::opencl::functions().clReleaseKernel
#define clReleaseMemObject ::percycle::opencl::functions().clReleaseMemObject
#define clReleaseProgram ::percycle::opencl::functions().clReleaseProgram
#define clSetKernelArg ::percycle::opencl::functions().clSetKernelArg

namespace percycle {
namespace {

/// Plans are never loaded from a file.
cl_program no_program(cl_context, cl_uint, const cl_device_id*, const std::size_t*, const unsigned char**, cl_int*,
                      cl_int* code) {
  *code = CL_INVALID_OPERATION;
  return nullptr;
}

}  // namespace
}  // namespace percycle

#define VKFFT_BACKEND 3
#include <vkFFT.h>

#include "vkfft/configure.hpp"

namespace percycle {
namespace {

class OpenclPlan final : public opencl::OpenclForeignKernel {
 public:
  OpenclPlan(const FourierPlan& plan, const opencl::OpenclHandles& input, const opencl::OpenclHandles& output)
      : plan_(plan), device_(input.device), context_(input.context), input_(input.memory), output_(output.memory) {
    VkFFTConfiguration configuration = configuration_of<Api::opencl>(plan_, bytes_);
    configuration.device = &device_;
    configuration.context = &context_;
    configuration.inputBuffer = &input_;
    configuration.buffer = &output_;
    check_vkfft<Api::opencl>(initializeVkFFT(&application_, configuration), "initializeVkFFT");
  }
  OpenclPlan(const OpenclPlan&) = delete;
  OpenclPlan& operator=(const OpenclPlan&) = delete;
  ~OpenclPlan() override { deleteVkFFT(&application_); }

  void enqueue(cl_command_queue queue) override {
    VkFFTLaunchParams launch{};
    launch.commandQueue = &queue;
    check_vkfft<Api::opencl>(VkFFTAppend(&application_, -1, &launch), "VkFFTAppend");
  }

 private:
  FourierPlan plan_;
  std::uint64_t bytes_ = 0;
  cl_device_id device_;
  cl_context context_;
  cl_mem input_;
  cl_mem output_;
  VkFFTApplication application_{};
};

}  // namespace

std::shared_ptr<Kernel> opencl_plan(const FourierPlan& plan) {
  const auto input = opencl::raw_buffer(*plan.input);
  const auto output = opencl::raw_buffer(*plan.output);
  if (!input || !output) return nullptr;
  return std::make_shared<OpenclPlan>(plan, *input, *output);
}

}  // namespace percycle
