#include "limits/architecture.hpp"

#include <fmt/format.h>

#include <regex>

#include "device/card_parts.hpp"
#include "limits/architecture_rules.hpp"
#include "limits/catalogue_text.hpp"

namespace percycle {
namespace {

using Evidence = RecognitionRule::Evidence;

const ArchitectureRules& rules() {
  static const ArchitectureRules parsed = parse_architecture_rules(catalogue_text("architectures.toml"), "architectures.toml");
  return parsed;
}

/// The first rule of `kind` that fits the device.
std::optional<Architecture> recognise_by(Evidence kind, const DeviceInfo& info) {
  const std::string text = kind == Evidence::name ? info.name : info.compute_capability.value_or("");
  for (const RecognitionRule& rule : rules().recognition) {
    if (rule.kind == kind && rule.architecture.vendor == info.vendor && std::regex_search(text, rule.pattern))
      return rule.architecture;
  }
  return std::nullopt;
}

Architecture cpu(const DeviceInfo& info) { return {.vendor = info.vendor, .name = "CPU", .unit_name = "core"}; }

const CountRule* count_rule(const DeviceInfo& info, const Architecture& architecture) {
  for (const CountRule& rule : rules().counts) {
    if (rule.vendor == architecture.vendor && rule.api == info.api && std::regex_search(architecture.name, rule.architecture) &&
        (!rule.platform || std::regex_search(info.platform, *rule.platform))) {
      return &rule;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Architecture> recognise(const DeviceInfo& info) {
  if (info.type == DeviceType::cpu) return cpu(info);
  if (!layer_of(info).empty()) return std::nullopt;
  for (const Evidence kind : {Evidence::capability, Evidence::name, Evidence::shared_capability}) {
    if (auto architecture = recognise_by(kind, info)) return architecture;
  }
  return std::nullopt;
}

std::optional<Architecture> recognise(const Card& card) {
  for (const DeviceInfo& info : card.devices) {
    if (info.type == DeviceType::cpu) return cpu(info);
  }
  for (const Evidence kind : {Evidence::capability, Evidence::name, Evidence::shared_capability}) {
    for (const DeviceInfo& info : card.devices) {
      if (!layer_of(info).empty()) continue;
      if (auto architecture = recognise_by(kind, info)) return architecture;
    }
  }
  return std::nullopt;
}

std::optional<Architecture> architecture_named(std::string_view name) {
  if (name == "CPU") return cpu({});
  for (const RecognitionRule& rule : rules().recognition) {
    if (rule.architecture.name == name) return rule.architecture;
  }
  return std::nullopt;
}

std::string unit_name(const std::optional<Architecture>& architecture) { return architecture ? architecture->unit_name : "unit"; }

UnitCount unit_count(const DeviceInfo& info, const std::optional<Architecture>& architecture) {
  if (!info.units) return {};
  if (info.type == DeviceType::cpu)
    return {.count = info.units, .note = "as the driver counts them, which may be hardware threads"};
  if (!architecture) return {.count = info.units, .note = "as counted by the driver: the architecture is unknown"};
  const CountRule* rule = count_rule(info, *architecture);
  if (rule == nullptr) return {.count = info.units, .note = ""};

  const std::string unless = rule->unless.empty() ? "" : fmt::format("unless {}", rule->unless);
  if (rule->per_unit == 1) return {.count = info.units, .note = unless};
  const std::uint32_t reported = info.units->value;
  if (reported % rule->per_unit != 0) {
    return {
        .count = std::nullopt,
        .note = fmt::format("unknown: the driver counts {} {}, not a multiple of {}", reported, rule->counts, rule->per_unit)};
  }
  Sourced<std::uint32_t> units = *info.units;
  units.value = reported / rule->per_unit;
  std::string note = fmt::format("{} {} reported, {} per {}", reported, rule->counts, rule->per_unit, architecture->unit_name);
  if (!unless.empty()) note += ", " + unless;
  return {.count = units, .note = note};
}

}  // namespace percycle
