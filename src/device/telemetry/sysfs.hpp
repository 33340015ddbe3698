#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// The number that a file begins with; absent where there is no such file or it begins with none.
std::optional<double> read_number(const std::filesystem::path& file);

/// The whole text of a file; empty where there is none.
std::string read_text(const std::filesystem::path& file);

/// The folders in `folder` whose names begin with `prefix`, in the order of their names; none where there is no such folder.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder, const std::string& prefix);

/// What the kernel shows of a PCI device's state in its folder: whether a display is attached (drm/card*/card*-*/status) and whether it is a virtual
/// function of another (physfn).
Conditions sysfs_conditions(const std::filesystem::path& folder);

/// Where the kernel shows a PCI device: ROOT/bus/pci/devices/ADDRESS.
std::filesystem::path pci_folder(const std::filesystem::path& root, const std::string& address);

}  // namespace percycle::telemetry
