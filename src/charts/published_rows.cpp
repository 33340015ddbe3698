#include "charts/published_rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace percycle {

std::vector<DeviceRows> beside_measured(const std::vector<DeviceRows>& devices, const std::vector<PublishedPlace>& places,
                                        std::deque<PointRow>& copies) {
  const auto is_measured = [&](const PublishedPlace& place) {
    return std::ranges::any_of(devices, [&](const DeviceRows& drawn) {
      return drawn.first->source != Source::published &&
             std::ranges::any_of(drawn.second, [&](const PointRow* row) { return has_words(*row, place.measured); });
    });
  };
  std::vector<PublishedPlace> taken;
  std::ranges::copy_if(places, std::back_inserter(taken), is_measured);
  if (taken.empty()) return devices;

  std::vector<DeviceRows> placed;
  for (const auto& [device, rows] : devices) {
    if (device->source != Source::published) {
      placed.emplace_back(device, rows);
      continue;
    }
    std::vector<const PointRow*> kept;
    for (const PointRow* row : rows) {
      const std::size_t before = kept.size();
      for (const PublishedPlace& place : taken) {
        if (row->parameters.size() != place.published.size() || !has_words(*row, place.published)) continue;
        PointRow& copy = copies.emplace_back(*row);
        for (const auto& [name, words] : place.measured) copy.parameters[name] = words;
        kept.push_back(&copy);
      }
      if (kept.size() == before) kept.push_back(row);
    }
    placed.emplace_back(device, std::move(kept));
  }
  return placed;
}

}  // namespace percycle
