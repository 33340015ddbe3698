#include "device/card_parts.hpp"

#include <array>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

namespace percycle {
namespace {

constexpr auto kFlags = std::regex::ECMAScript | std::regex::icase;

struct PartRule {
  std::regex name;
  std::string_view kind;
};

const std::array<PartRule, 3>& part_rules() {
  static const std::array<PartRule, 3> rules{
      PartRule{std::regex(R"(\bMIG\b)"), "MIG slice"},
      // NVIDIA, Virtual GPU Software User Guide, vGPU types: "A40-48Q", "A100-1-5C", "H100L-94CME".
      PartRule{std::regex(R"(-[0-9]+(-[0-9]+)?[ABCQ](ME)?(\s|$))"), "vGPU"},
      // AMD's compute partitions and virtual functions (MxGPU); SPX is the whole card.
      PartRule{std::regex(R"(\b(CPX|DPX|QPX|TPX|VF|MxGPU)\b)"), "partition"}};
  return rules;
}

struct LayerRule {
  std::optional<std::regex> platform;  ///< Vulkan: the driver's name
  std::optional<std::regex> name;
  std::string_view layer;

  bool fits(const DeviceInfo& info) const {
    return (platform && std::regex_search(info.platform, *platform)) || (name && std::regex_search(info.name, *name));
  }
};

const std::array<LayerRule, 8>& layer_rules() {
  constexpr const char* kNever = nullptr;
  static const auto expression = [](const char* text) {
    return text == kNever ? std::nullopt : std::optional<std::regex>(std::in_place, text, kFlags);
  };
  static const auto rule = [](const char* platform, const char* name, std::string_view layer) {
    return LayerRule{expression(platform), expression(name), layer};
  };
  static const std::array<LayerRule, 8> rules{rule("^(dozen|dzn)$", R"(\bDirect3D ?12\b)", "Dozen (Direct3D 12)"),
                                              rule("OpenCLOn12", kNever, "OpenCLOn12 (Direct3D 12)"),
                                              rule(R"(\bvenus\b)", R"(\bvenus\b)", "Venus (a virtual machine's host)"),
                                              rule("gfxstream", "gfxstream", "gfxstream (a virtual machine's host)"),
                                              rule(kNever, R"(^virgl\b)", "VirGL (a virtual machine's host)"),
                                              rule("MoltenVK", kNever, "MoltenVK (Metal)"),
                                              rule(R"(\b(clvk|ANGLE)\b)", kNever, "OpenCL on Vulkan"),
                                              rule(kNever, R"(^zink\b)", "Zink (Vulkan)")};
  return rules;
}

}  // namespace

std::string part_of_card(const DeviceInfo& info) {
  if (!info.part.empty()) return info.part;
  for (const PartRule& rule : part_rules()) {
    if (std::regex_search(info.name, rule.name)) return std::string(rule.kind);
  }
  return {};
}

std::string layer_of(const DeviceInfo& info) {
  if (info.type == DeviceType::cpu || info.api == Api::sim) return {};
  for (const LayerRule& rule : layer_rules()) {
    if (rule.fits(info)) return std::string(rule.layer);
  }
  return {};
}

}  // namespace percycle
