#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// The number at the start of a file; empty if the number or the file is missing.
std::optional<double> read_number(const std::filesystem::path& file);

/// The whole text of a file; empty if it does not exist.
std::string read_text(const std::filesystem::path& file);

/// The folders in `folder` whose names begin with `prefix`, sorted by name; empty if the folder is
/// missing.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder, const std::string& prefix);

/// The kernel's state of a PCI device in its folder: whether a display is attached
/// (drm/card*/card*-*/status) and whether the device is a virtual function of another (physfn).
Conditions sysfs_conditions(const std::filesystem::path& folder);

/// The kernel's folder of a PCI device: ROOT/bus/pci/devices/ADDRESS.
std::filesystem::path pci_folder(const std::filesystem::path& root, const std::string& address);

}  // namespace percycle::telemetry
