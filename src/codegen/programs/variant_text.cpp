#include "codegen/programs/variant_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/access.hpp"

namespace percycle {
namespace {

nlohmann::json to_json(const TurnAccess& access) {
  nlohmann::json object{
      {"path", name_of(access.path)}, {"kind", name_of(access.kind)}, {"bytes", access.width}, {"count", access.count}};
  if (access.kind == AccessKind::atomic) object["returns"] = access.returns;
  return object;
}

}  // namespace

std::string variant_text(const KernelVariant& variant) {
  if (!variant.turn) return std::string(to_string(variant.role));
  std::vector<std::string> parts;
  for (const TurnAccess& each : *variant.turn) {
    parts.push_back(fmt::format("{} x {} {} of {} B{}", each.count, name_of(each.path), name_of(each.kind), each.width,
                                each.kind != AccessKind::atomic ? ""
                                : each.returns                  ? ", returning"
                                                                : ", returning nothing"));
  }
  return fmt::format("{}: {}", to_string(variant.role), parts.empty() ? "no access" : fmt::format("{}", fmt::join(parts, ", ")));
}

nlohmann::json variant_json(const KernelVariant& variant) {
  nlohmann::json object{{"kernel", variant.desc.name},
                        {"definitions", variant.desc.definitions},
                        {"group_size", variant.desc.local_size},
                        {"role", to_string(variant.role)},
                        {"experiments", variant.experiments}};
  if (variant.desc.subgroup_size) object["subgroup_size"] = *variant.desc.subgroup_size;
  if (!variant.desc.constants.empty()) object["constant_bytes"] = variant.desc.constants.size();
  if (variant.turn) {
    object["turn"] = nlohmann::json::array();
    for (const TurnAccess& each : *variant.turn) object["turn"].push_back(to_json(each));
  }
  return object;
}

}  // namespace percycle
