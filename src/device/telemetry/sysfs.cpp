#include "device/telemetry/sysfs.hpp"

#include "device/telemetry/conditions.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace percycle::telemetry {

std::optional<double> read_number(const std::filesystem::path& file) {
  std::ifstream stream(file);
  double value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder, const std::string& prefix) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with(prefix)) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Conditions sysfs_conditions(const std::filesystem::path& folder) {
  Conditions found;
  bool attached = false;
  for (const auto& card : subfolders(folder / "drm", "card")) {
    for (const auto& connector : subfolders(card, "card"))
      attached = attached || read_text(connector / "status") == "connected\n";
  }
  add_display(found, attached);
  std::error_code ignored;
  const bool is_virtual = std::filesystem::exists(folder / "physfn", ignored);
  found.observed["virtualization"] = is_virtual ? "virtual function" : "none";
  if (is_virtual) found.warnings.emplace_back("the GPU is a virtual function: other virtual machines may share it");
  return found;
}

std::filesystem::path pci_folder(const std::filesystem::path& root, const std::string& address) {
  return root / "bus" / "pci" / "devices" / address;
}

}  // namespace percycle::telemetry
