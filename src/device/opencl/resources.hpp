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
  OpenclImage(std::shared_ptr<Buffer> buffer, Memory memory) : buffer_(std::move(buffer)), memory_(std::move(memory)) {}
  cl_mem memory() const { return memory_.get(); }

 private:
  std::shared_ptr<Buffer> buffer_;
  Memory memory_;
};

class OpenclKernel final : public Kernel {
 public:
  OpenclKernel(KernelHandle kernel, std::vector<BindingKind> bindings, std::uint32_t parameter_words, std::uint32_t local_size)
      : kernel_(std::move(kernel)), bindings_(std::move(bindings)), parameter_words_(parameter_words), local_size_(local_size) {}
  cl_kernel kernel() const { return kernel_.get(); }
  const std::vector<BindingKind>& bindings() const { return bindings_; }
  std::uint32_t parameter_words() const { return parameter_words_; }
  std::uint32_t local_size() const { return local_size_; }

 private:
  KernelHandle kernel_;
  std::vector<BindingKind> bindings_;
  std::uint32_t parameter_words_;
  std::uint32_t local_size_;
};

}  // namespace percycle::opencl
