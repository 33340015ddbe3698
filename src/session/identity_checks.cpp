#include "session/identity_checks.hpp"

#include <fmt/format.h>

#include "device/card_parts.hpp"

namespace percycle {

std::vector<DeviceCheck> identity_checks(const DeviceInfo& device) {
  std::vector<DeviceCheck> checks;
  if (const std::string layer = layer_of(device); !layer.empty())
    checks.push_back({"layer", CheckVerdict::doubtful, fmt::format("{}: {}", layer, kLayerSpoils)});
  if (const std::string part = part_of_card(device); !part.empty())
    checks.push_back({"part", CheckVerdict::doubtful, fmt::format("{}: {}", part, kPartSpoils)});
  return checks;
}

}  // namespace percycle
