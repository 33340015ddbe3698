#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/opencl/handles.hpp"

namespace percycle::opencl {

class OpenclBuffer final : public Buffer {
 public:
  OpenclBuffer(Memory memory, std::uint64_t bytes) : memory_(std::move(memory)), bytes_(bytes) {}
  std::uint64_t bytes() const override { return bytes_; }
  cl_mem memory() const { return memory_.get(); }

 private:
  Memory memory_;
  std::uint64_t bytes_;
};

class OpenclImage final : public Image {
 public:
  OpenclImage(const ImageDesc& desc, Memory memory)
      : Image(desc), buffer_(is_2d() ? nullptr : desc.buffer), memory_(std::move(memory)) {}
  cl_mem memory() const { return memory_.get(); }

 private:
  std::shared_ptr<Buffer> buffer_;  ///< of a view
  Memory memory_;
};

class OpenclKernel final : public Kernel {
 public:
  OpenclKernel(KernelHandle kernel, const KernelDesc& desc)
      : kernel_(std::move(kernel)),
        name_(desc.name),
        bindings_(binding_kinds(desc.bindings)),
        parameters_(desc.parameters),
        local_size_(desc.local_size),
        optimized_(desc.optimize) {}
  cl_kernel kernel() const { return kernel_.get(); }
  const std::vector<BindingKind>& bindings() const { return bindings_; }
  /// The parameter block for these values; see percycle::parameter_block.
  std::vector<std::uint32_t> parameter_block(const KernelValues& values) const {
    return percycle::parameter_block(name_, parameters_, values);
  }
  std::uint32_t local_size() const { return local_size_; }
  bool is_optimized() const { return optimized_; }

 private:
  KernelHandle kernel_;
  std::string name_;
  std::vector<BindingKind> bindings_;
  std::vector<KernelParameter> parameters_;
  std::uint32_t local_size_;
  bool optimized_;
};

}  // namespace percycle::opencl
