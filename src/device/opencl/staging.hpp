#pragma once

#include <cstddef>
#include <span>

#include "device/opencl/handles.hpp"

namespace percycle::opencl {

/// Page-locked host memory: the mapping of a CL_MEM_ALLOC_HOST_PTR buffer. It stays mapped and is
/// the host side of transfers; the vendors' guides recommend this for DMA without a bounce buffer.
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
