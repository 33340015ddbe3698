#include "limits/agreed_units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/api_words.hpp"
#include "device/card_parts.hpp"
#include "device/identity.hpp"
#include "device/selector.hpp"
#include "limits/architecture.hpp"

namespace percycle {
namespace {

constexpr std::string_view kContradiction = "contradiction: units";

/// One statement of the number of units.
struct Statement {
  std::string by;
  std::uint32_t units = 0;
  DeviceInfo* device = nullptr;  ///< null: the catalogue
};

/// All statements about a card that is a GPU. A part of a GPU has fewer units than the catalogue's.
std::vector<Statement> statements(const Card& card, std::vector<DeviceInfo>& devices, const LimitsCatalogue& catalogue) {
  const auto architecture = recognise(card);
  std::vector<Statement> found;
  for (const DeviceInfo& member : card.devices) {
    if (member.type != DeviceType::gpu || member.api == Api::sim) return {};
    const auto device = std::ranges::find_if(devices, [&](const DeviceInfo& info) { return selector(info) == selector(member); });
    const auto units = unit_count(member, architecture).count;
    if (units) found.push_back({std::string(api_words(member.api)), units->value, &*device});
  }
  if (const auto listed = catalogue_units(catalogue, card)) found.push_back({"the catalogue", *listed, nullptr});
  return found;
}

/// Halves the counts of RDNA devices that are twice the smallest statement. True if one was.
bool halve_compute_units(const std::vector<Statement>& stated) {
  const std::uint32_t least = std::ranges::min(stated, {}, &Statement::units).units;
  bool halved = false;
  for (const Statement& each : stated) {
    if (each.device == nullptr || each.units != 2 * least) continue;
    each.device->units->value /= 2;
    halved = true;
  }
  return halved;
}

}  // namespace

std::optional<std::uint32_t> catalogue_units(const LimitsCatalogue& catalogue, const Card& card) {
  if (std::ranges::any_of(card.devices, [](const DeviceInfo& info) { return !part_of_card(info).empty(); })) return std::nullopt;
  const DeviceLimits known = find_limits(catalogue, card);
  const Limit* listed = known.find(Quantity::units);
  if (listed == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(std::lround(listed->value));
}

bool is_unit_contradiction(std::string_view text) { return text.starts_with(kContradiction); }

std::string unit_contradiction(const DeviceInfo& info) {
  const auto found = std::ranges::find_if(info.lacks, is_unit_contradiction);
  return found == info.lacks.end() ? "" : *found;
}

std::vector<UnitContradiction> agree_on_units(std::vector<DeviceInfo>& devices, std::string_view host_cpu_name,
                                              const LimitsCatalogue& catalogue) {
  std::vector<UnitContradiction> contradictions;
  for (const Card& card : group_by_card(devices, host_cpu_name)) {
    const std::vector<Statement> stated = statements(card, devices, catalogue);
    if (stated.empty()) continue;
    const auto differs = [&](const Statement& each) { return each.units != stated.front().units; };
    if (std::ranges::none_of(stated, differs)) continue;
    std::vector<std::string> counts;
    for (const Statement& each : stated) counts.push_back(fmt::format("{} by {}", each.units, each.by));
    const auto architecture = recognise(card);
    const bool halved = architecture && architecture->unit_name == "WGP" && halve_compute_units(stated);
    UnitContradiction found{
        card.devices.front().api, card.devices.front().name,
        fmt::format("{} {}; {}", kContradiction, fmt::join(counts, ", "),
                    halved ? "percycle halves a count of compute units to WGPs" : "percycle takes each driver's own count")};
    for (const Statement& each : stated) {
      if (each.device != nullptr) each.device->lacks.push_back(found.text);
    }
    contradictions.push_back(std::move(found));
  }
  return contradictions;
}

}  // namespace percycle
