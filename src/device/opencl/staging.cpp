#include "device/opencl/staging.hpp"

#include "device/opencl/errors.hpp"

namespace percycle::opencl {

Staging::Staging(cl_context context, cl_command_queue queue, std::size_t bytes) : queue_(queue), size_(bytes) {
  cl_int code = CL_SUCCESS;
  memory_.reset(functions().clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code));
  check_made(code, memory_, "clCreateBuffer", "buffer");
  mapped_ = functions().clEnqueueMapBuffer(queue_, memory_.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr,
                                           nullptr, &code);
  check_made(code, mapped_, "clEnqueueMapBuffer", "mapped pointer");
}

Staging::~Staging() {
  // Results unread: the queue of a lost device refuses both calls, and no one can act on it.
  functions().clEnqueueUnmapMemObject(queue_, memory_.get(), mapped_, 0, nullptr, nullptr);
  functions().clFinish(queue_);
}

}  // namespace percycle::opencl
