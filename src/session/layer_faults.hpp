#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/info.hpp"
#include "platform/process.hpp"
#include "session/implicit_layers.hpp"

namespace percycle {

/// The end of an enumeration of Vulkan's devices: why it showed none; empty if it showed some.
using LayerTrial = std::function<std::optional<std::string>(const Environment&)>;

/// Layers that hide every device, and the problems that name them.
struct LayerFaults {
  std::vector<ImplicitLayer> layers;
  std::vector<EnumerationProblem> problems;
};

/// The layers to blame if Vulkan shows devices only without `layers`: those that hide them alone,
/// or all if only several together do. None if they now show with all of them.
LayerFaults faulty_layers(const std::vector<ImplicitLayer>& layers, const LayerTrial& trial);

}  // namespace percycle
