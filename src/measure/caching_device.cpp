#include "measure/caching_device.hpp"

#include <fmt/format.h>

namespace percycle {
namespace {

/// Everything a driver sees of a kernel, as one string.
std::string key_of(const KernelDesc& desc) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|", desc.name, desc.local_size, parameter_members(desc.parameters),
                                desc.subgroup_size.value_or(0), desc.keep_code);
  for (const auto& [name, kind] : desc.bindings) key += fmt::format("{}:{},", name, static_cast<int>(kind));
  for (const auto& [name, value] : desc.definitions) key += fmt::format("|{}={}", name, value);
  key += '|';
  for (const std::byte byte : desc.constants) key += static_cast<char>(byte);
  return key;
}

}  // namespace

std::shared_ptr<Kernel> CachingDevice::create(const KernelDesc& desc) {
  auto& kernel = kernels_[key_of(desc)];
  if (!kernel) {
    KernelDesc made = desc;
    made.keep_code = desc.keep_code || keep_code_;
    kernel = device_->create(made);
  }
  return kernel;
}

}  // namespace percycle
