#include "session/manifests.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace percycle {
namespace {

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::vector<std::string> split_paths(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
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
    if (const auto listed = variable(name); !listed.empty()) return split_paths(listed);
  }
  std::vector<std::string> roots = split_paths(variable("XDG_CONFIG_HOME", (variable("HOME") + "/.config").c_str()));
  for (const auto& root : split_paths(variable("XDG_CONFIG_DIRS", "/etc/xdg"))) roots.push_back(root);
  roots.emplace_back("/etc");
  roots.push_back(variable("XDG_DATA_HOME", (variable("HOME") + "/.local/share").c_str()));
  for (const auto& root : split_paths(variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))) roots.push_back(root);
  for (const auto& root : roots) add_files(files, std::filesystem::path(root) / "vulkan/icd.d", ".json");
  return files;
}

}  // namespace percycle
