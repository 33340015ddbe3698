#include "session/identity_checks.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "device/card_parts.hpp"
#include "limits/agreed_units.hpp"

namespace percycle {
namespace {

/// The words after the name of a layer or the kind of a part, for people.
constexpr std::string_view kLayerSpoils =
    "a translation layer, not the card's own driver: percycle measures both together, and the card's limits do not hold";
constexpr std::string_view kPartSpoils = "a part of a card: the whole card's limits do not hold";

}  // namespace

std::vector<DeviceCheck> identity_checks(const DeviceInfo& device) {
  std::vector<DeviceCheck> checks;
  if (const std::string layer = layer_of(device); !layer.empty())
    checks.push_back({"layer", CheckVerdict::doubtful, fmt::format("{}: {}", layer, kLayerSpoils)});
  if (const std::string part = part_of_card(device); !part.empty())
    checks.push_back({"part", CheckVerdict::doubtful, fmt::format("{}: {}", part, kPartSpoils)});
  return checks;
}

std::vector<DeviceCheck> stated_checks(const DeviceInfo& device) {
  std::vector<DeviceCheck> checks = identity_checks(device);
  if (std::string text = unit_contradiction(device); !text.empty())
    checks.push_back({"unit sources", CheckVerdict::doubtful, std::move(text)});
  return checks;
}

}  // namespace percycle
