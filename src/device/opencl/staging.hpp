#pragma once

#include <cstddef>
#include <span>

#include "device/opencl/handles.hpp"

namespace percycle::opencl {

/// Page-locked host memory: what a CL_MEM_ALLOC_HOST_PTR buffer maps to. Kept mapped for life and used as the host side of
/// transfers, which is how the vendors' guides get DMA without a bounce.
class Staging {
 public:
  Staging(cl_context context, cl_command_queue queue, std::size_t bytes);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(mapped_), size_}; }

 private:
  cl_command_queue queue_;
  std::size_t size_;
  Memory memory_;
  void* mapped_ = nullptr;
};

}  // namespace percycle::opencl
