#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.hpp"

namespace percycle {

/// A layer that Vulkan's loader puts before every driver, without being asked: overlays, recorders,
/// choosers of devices.
struct ImplicitLayer {
  std::string name;
  std::string manifest;
  Environment off;  ///< the manifest's "disable_environment"
};

/// The layers of a manifest's text that are on by default. None if the text is damaged.
std::vector<ImplicitLayer> layers_of(const std::string& manifest, std::string_view text);

/// The implicit layers of this system that the environment leaves on: "Loader and Layer Interface",
/// "Layer Discovery". None on Windows, where the registry names them.
std::vector<ImplicitLayer> implicit_layers();

/// The environment of a process without these layers.
Environment without(std::span<const ImplicitLayer> layers);

}  // namespace percycle
