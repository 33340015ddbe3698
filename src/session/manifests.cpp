#include "session/manifests.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "platform/driver_places.hpp"
#include "platform/environment.hpp"

namespace percycle {
namespace {

/// Empty if it is not set.
std::string variable(const char* name) { return environment_variable(name).value_or(""); }

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
    std::optional<std::filesystem::path> vendors = opencl_driver_folder();
    if (const std::string named = variable("OCL_ICD_VENDORS"); !named.empty()) vendors = named;
    std::error_code error;
    if (vendors && std::filesystem::is_directory(*vendors, error)) {
      add_files(files, *vendors, ".icd");
    } else if (vendors) {
      files.push_back(vendors->string());
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
  for (const auto& root : vulkan_driver_folders()) add_files(files, root / "vulkan/icd.d", ".json");
  return files;
}

}  // namespace percycle
