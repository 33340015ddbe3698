#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace percycle {

/// The folder of files that each name an OpenCL driver; empty on Windows, where the registry does.
std::optional<std::filesystem::path> opencl_driver_folder();

/// The folders whose vulkan/icd.d/ has the manifests of Vulkan drivers, in the loader's order; none
/// on Windows.
std::vector<std::filesystem::path> vulkan_driver_folders();

}  // namespace percycle
