#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace percycle::telemetry {

/// The number that a file begins with; absent where there is no such file or it begins with none.
std::optional<double> read_number(const std::filesystem::path& file);

/// The whole text of a file; empty where there is none.
std::string read_text(const std::filesystem::path& file);

/// The folders in `folder` whose names begin with `prefix`, in the order of their names; none where there is no such folder.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder, const std::string& prefix);

/// Where the kernel shows a PCI device: ROOT/bus/pci/devices/ADDRESS.
std::filesystem::path pci_folder(const std::filesystem::path& root, const std::string& address);

}  // namespace percycle::telemetry
