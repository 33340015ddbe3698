#include <string>

#include "platform/driver_places.hpp"
#include "platform/environment.hpp"

namespace percycle {
namespace {

/// Empty counts as not set.
std::string variable(const char* name, const std::string& otherwise = "") {
  const auto value = environment_variable(name);
  return value && !value->empty() ? *value : otherwise;
}

}  // namespace

std::optional<std::filesystem::path> opencl_driver_folder() { return "/etc/OpenCL/vendors"; }

std::vector<std::filesystem::path> vulkan_driver_folders() {
  std::vector<std::filesystem::path> roots = split_paths(variable("XDG_CONFIG_HOME", variable("HOME") + "/.config"));
  for (const auto& root : split_paths(variable("XDG_CONFIG_DIRS", "/etc/xdg"))) roots.push_back(root);
  roots.emplace_back("/etc");
  roots.emplace_back(variable("XDG_DATA_HOME", variable("HOME") + "/.local/share"));
  for (const auto& root : split_paths(variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))) roots.push_back(root);
  return roots;
}

}  // namespace percycle
