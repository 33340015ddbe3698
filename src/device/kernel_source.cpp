#include "device/kernel_source.hpp"

#include <functional>
#include <map>
#include <utility>

#include "device/embedded_kernel.hpp"

namespace percycle {
namespace {

using Sources = std::map<std::string, std::string_view, std::less<>>;

Sources& added_sources() {
  static Sources sources;
  return sources;
}

}  // namespace

std::string_view kernel_source(std::string_view file_name) {
  const auto added = added_sources().find(file_name);
  return added == added_sources().end() ? embedded_kernel(file_name) : added->second;
}

std::string_view kernel_source_hash() { return embedded_kernel_hash(); }

AddKernelSource::AddKernelSource(std::string file_name, std::string_view text) {
  added_sources().insert_or_assign(std::move(file_name), text);
}

}  // namespace percycle
