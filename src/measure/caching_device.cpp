#include "measure/caching_device.hpp"

#include <fmt/format.h>

namespace percycle {

std::string kernel_key(const KernelDesc& desc) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}|", desc.name, desc.local_size, parameter_members(desc.parameters),
                                desc.subgroup_size.value_or(0), desc.keep_code, desc.optimize, desc.constant_buffers);
  for (const auto& [name, kind] : desc.bindings) key += fmt::format("{}:{},", name, static_cast<int>(kind));
  for (const auto& [name, value] : desc.definitions) key += fmt::format("|{}={}", name, value);
  key += '|';
  for (const std::byte byte : desc.constants) key += static_cast<char>(byte);
  return key;
}

std::shared_ptr<Kernel> CachingDevice::create(const KernelDesc& desc) {
  const std::string key = kernel_key(desc);
  {
    const std::scoped_lock lock(changing_);
    if (const auto known = kernels_.find(key); known != kernels_.end()) return known->second;
  }
  KernelDesc made = desc;
  made.keep_code = desc.keep_code || keep_code_;
  auto kernel = ForwardingDevice::create(made);
  const std::scoped_lock lock(changing_);
  return kernels_.try_emplace(key, std::move(kernel)).first->second;
}

}  // namespace percycle
