#include "session/manifests.hpp"

#include <algorithm>
#include <filesystem>

#include "platform/environment.hpp"

namespace percycle {
namespace {

/// Empty counts as not set.
std::string variable(const char* name, const std::string& otherwise = "") {
  const auto value = environment_variable(name);
  return value && !value->empty() ? *value : otherwise;
}

void add_files(std::vector<std::string>& files, const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

}  // namespace

std::vector<std::string> driver_manifests(Api api) {
  std::vector<std::string> files;
  if (api == Api::opencl) {
    const std::string vendors = variable("OCL_ICD_VENDORS", "/etc/OpenCL/vendors");
    std::error_code error;
    if (std::filesystem::is_directory(vendors, error)) {
      add_files(files, vendors, ".icd");
    } else {
      files.push_back(vendors);
    }
    return files;
  }
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    const std::string list = variable(name);
    if (list.empty()) continue;
    for (const auto& file : split_paths(list)) files.push_back(file.string());
    return files;
  }
  for (const auto& file : split_paths(variable("VK_ADD_DRIVER_FILES"))) files.push_back(file.string());
  std::vector<std::filesystem::path> roots = split_paths(variable("XDG_CONFIG_HOME", variable("HOME") + "/.config"));
  for (const auto& root : split_paths(variable("XDG_CONFIG_DIRS", "/etc/xdg"))) roots.push_back(root);
  roots.emplace_back("/etc");
  roots.emplace_back(variable("XDG_DATA_HOME", variable("HOME") + "/.local/share"));
  for (const auto& root : split_paths(variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))) roots.push_back(root);
  for (const auto& root : roots) add_files(files, root / "vulkan/icd.d", ".json");
  return files;
}

}  // namespace percycle
