#include "session/manifests.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "json/parse.hpp"
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

/// The first line without blanks at its ends.
std::string first_line(const std::string& text) {
  constexpr const char* kBlanks = " \t\r";
  std::string line = text.substr(0, text.find('\n'));
  line.erase(0, std::min(line.find_first_not_of(kBlanks), line.size()));
  line.erase(line.find_last_not_of(kBlanks) + 1);
  return line;
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

std::optional<std::string> library_of(Api api, const std::string& file, const std::string& text) {
  if (api == Api::opencl) return first_line(text);
  try {
    const nlohmann::json driver = parse_json(text).at("ICD");
    if (driver.value("library_arch", "64") != "64") return std::nullopt;
    const std::filesystem::path library = driver.at("library_path").get<std::string>();
    // "Loader and Driver Interface": a path with folders is relative to the manifest.
    return library.has_parent_path() ? (std::filesystem::path(file).parent_path() / library).string() : library.string();
  } catch (const std::exception&) {  // not JSON, or JSON of another shape
    return "";
  }
}

}  // namespace percycle
