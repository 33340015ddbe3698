#include "platform/driver_places.hpp"

namespace percycle {

std::optional<std::filesystem::path> opencl_driver_folder() { return std::nullopt; }

std::vector<std::filesystem::path> vulkan_driver_folders() { return {}; }

}  // namespace percycle
