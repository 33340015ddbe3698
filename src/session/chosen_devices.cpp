#include "session/chosen_devices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "device/card_parts.hpp"
#include "device/selector.hpp"

namespace percycle {

std::vector<CardDrivers> once_per_card(const std::vector<DeviceInfo>& devices, const std::vector<Card>& cards) {
  std::vector<CardDrivers> chosen;
  std::map<std::pair<Api, std::string>, std::size_t> place;
  for (const DeviceInfo& device : devices) {
    if (device.type == DeviceType::cpu || device.api == Api::sim) {
      chosen.push_back({device});
      continue;
    }
    const auto [at, is_new] = place.try_emplace({device.api, card_identity(cards, device)}, chosen.size());
    if (is_new) chosen.emplace_back();
    chosen[at->second].push_back(device);
  }
  for (CardDrivers& same : chosen)
    std::ranges::stable_sort(same, {}, [](const DeviceInfo& device) { return !layer_of(device).empty(); });
  return chosen;
}

std::string same_card_note(const CardDrivers& same, const DeviceInfo& measured) {
  const std::string one = selector(measured);
  std::vector<std::string> others;
  std::vector<std::string> options;
  for (const DeviceInfo& device : same) {
    if (selector(device) == one) continue;
    others.push_back(fmt::format("{} ({})", selector(device), device.platform));
    options.push_back(fmt::format("--device {}", selector(device)));
  }
  if (others.empty()) return {};
  return fmt::format("{} {} the same card as {} ({}): percycle measures {} ({} measures another driver)",
                     fmt::join(others, " and "), others.size() == 1 ? "is" : "are", one, measured.platform, one,
                     fmt::join(options, " or "));
}

}  // namespace percycle
