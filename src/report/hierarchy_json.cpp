#include "report/hierarchy_json.hpp"

#include <cmath>

namespace percycle {
namespace {

using nlohmann::json;

/// Six significant digits: no figure is more accurate, and equal analyses print equal text.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

template <typename T>
void put(json& object, const char* name, const std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_same_v<T, double>) {
    object[name] = rounded(*value);
  } else {
    object[name] = *value;
  }
}

json to_json(const HierarchyLevel& level) {
  json object = {{"path", level.path},
                 {"name", level.name},
                 {"size_bytes", level.size_bytes},
                 {"size_low", level.size_low},
                 {"size_high", level.size_high},
                 {"latency_ns", rounded(level.latency_ns)},
                 {"confidence", rounded(level.confidence)},
                 {"geometry_confidence", rounded(level.geometry_confidence)},
                 {"evidence", level.evidence}};
  put(object, "latency_cycles", level.latency_cycles);
  put(object, "line_bytes", level.line_bytes);
  put(object, "sector_bytes", level.sector_bytes);
  put(object, "ways", level.ways);
  put(object, "sets", level.sets);
  put(object, "replacement", level.replacement);
  return object;
}

json to_json(const HierarchyTlb& tlb) {
  json object = {{"path", tlb.path},
                 {"reach_bytes", tlb.reach_bytes},
                 {"penalty_ns", rounded(tlb.penalty_ns)},
                 {"confidence", rounded(tlb.confidence)},
                 {"penalty_confidence", rounded(tlb.penalty_confidence)},
                 {"evidence", tlb.evidence}};
  put(object, "page_bytes", tlb.page_bytes);
  put(object, "ways", tlb.ways);
  put(object, "penalty_cycles", tlb.penalty_cycles);
  return object;
}

json to_json(const HierarchyMemory& memory) {
  json object = {{"path", memory.path},
                 {"reached", memory.reached},
                 {"confidence", rounded(memory.confidence)},
                 {"evidence", memory.evidence}};
  if (!memory.reached) return object;
  object["latency_ns"] = rounded(memory.latency_ns);
  put(object, "latency_cycles", memory.latency_cycles);
  put(object, "together_cycles", memory.together_cycles);
  put(object, "together_ns", memory.together_ns);
  return object;
}

json to_json(const PrivateCopies& copies) {
  return {{"path", copies.path},
          {"per_unit", copies.per_unit},
          {"confidence", rounded(copies.confidence)},
          {"evidence", copies.evidence}};
}

json to_json(const PathSharing& sharing) {
  return {{"between", "paths"},
          {"first", sharing.first},
          {"second", sharing.second},
          {"shared", sharing.shared},
          {"confidence", rounded(sharing.confidence)},
          {"evidence", sharing.evidence}};
}

json to_json(const UnitSharing& sharing) {
  return {{"between", "units"},          {"path", sharing.path},
          {"level", sharing.level},      {"size_bytes", sharing.size_bytes},
          {"shared", sharing.shared},    {"confidence", rounded(sharing.confidence)},
          {"evidence", sharing.evidence}};
}

json to_json(const InstructionCacheLevel& level) {
  return {{"scope", level.scope},
          {"size_bytes", level.size_bytes},
          {"size_low", level.size_low},
          {"size_high", level.size_high},
          {"cycles_per_instruction", rounded(level.cycles_per_instruction)},
          {"beyond", rounded(level.beyond)},
          {"confidence", rounded(level.confidence)}};
}

json to_json(const InstructionCacheOwner& owner) {
  return {{"level", owner.level},   {"size_bytes", owner.size_bytes},          {"shared_by", owner.owner_words()},
          {"copies", owner.copies}, {"confidence", rounded(owner.confidence)}, {"evidence", owner.evidence}};
}

json to_json(const ConstantsBesideCode& found) {
  json object = {{"constant_bytes", found.constant_bytes},      {"shared", found.shared},
                 {"alone_cycles", rounded(found.alone_cycles)}, {"most_cycles", rounded(found.most_cycles)},
                 {"confidence", rounded(found.confidence)},     {"evidence", found.evidence}};
  if (found.shared) {
    object["fitting_bytes"] = found.fitting_bytes;
    object["evicting_bytes"] = found.evicting_bytes;
  }
  put(object, "level", found.level);
  return object;
}

json to_json(const LocalSplit& split) {
  return {{"path", split.path},         {"local_bytes", split.local_bytes}, {"size_bytes", split.size_bytes},
          {"size_low", split.size_low}, {"size_high", split.size_high},     {"confidence", rounded(split.confidence)}};
}

json to_json(const ConstantWords& level) {
  return {{"bytes", level.bytes},
          {"most_words", level.most_words},
          {"unit", level.in_cycles ? "cycles" : "ns"},
          {"one_word", rounded(level.one_word)},
          {"each_further", rounded(level.each_further)},
          {"most", rounded(level.most)},
          {"unevenness", rounded(level.unevenness)}};
}

json to_json(const ChipGrouping& grouping) {
  return {{"groups", grouping.groups}, {"within", rounded(grouping.within)}, {"between", rounded(grouping.between)}};
}

json to_json(const ChipMap& map) {
  json object = {{"access", map.access},         {"units", map.units},
                 {"lines", map.lines.size()},    {"counts_cycles", map.counts_cycles},
                 {"least", rounded(map.least)},  {"median", rounded(map.median)},
                 {"most", rounded(map.most)},    {"noise", rounded(map.noise)},
                 {"unit_groups", json::array()}, {"line_groups", json::array()}};
  for (const ChipGrouping& grouping : map.unit_groups) object["unit_groups"].push_back(to_json(grouping));
  for (const ChipGrouping& grouping : map.line_groups) object["line_groups"].push_back(to_json(grouping));
  return object;
}

json to_json(const Residency& residency) {
  json object = {{"evidence", residency.evidence}};
  put(object, "groups", residency.groups);
  put(object, "subgroups", residency.subgroups);
  put(object, "invocations", residency.invocations);
  put(object, "registers", residency.registers);
  put(object, "register_step", residency.register_step);
  put(object, "local_bytes", residency.local_bytes);
  put(object, "local_step", residency.local_step);
  put(object, "local_overhead", residency.local_overhead);
  return object;
}

template <typename T>
void append(json& array, const std::vector<T>& values) {
  for (const auto& value : values) array.push_back(to_json(value));
}

}  // namespace

json to_json(const Hierarchy& hierarchy) {
  json object;
  for (const char* name : {"levels", "tlbs", "memory", "private_copies", "sharing"}) object[name] = json::array();
  append(object["levels"], hierarchy.levels);
  append(object["tlbs"], hierarchy.tlbs);
  append(object["memory"], hierarchy.memory);
  append(object["private_copies"], hierarchy.private_copies);
  append(object["sharing"], hierarchy.sharing.paths);
  append(object["sharing"], hierarchy.sharing.units);
  if (!hierarchy.instruction_caches.levels.empty()) append(object["instruction_caches"], hierarchy.instruction_caches.levels);
  if (!hierarchy.instruction_sharing.owners.empty()) append(object["instruction_owners"], hierarchy.instruction_sharing.owners);
  if (!hierarchy.instruction_sharing.constants.empty())
    append(object["constants_beside_code"], hierarchy.instruction_sharing.constants);
  if (!hierarchy.local_splits.empty()) append(object["local_splits"], hierarchy.local_splits);
  if (!hierarchy.constant_words.empty()) append(object["constant_words"], hierarchy.constant_words);
  if (!hierarchy.chip_maps.empty()) append(object["chip_maps"], hierarchy.chip_maps);
  if (!hierarchy.residency.empty()) object["capacity"] = to_json(hierarchy.residency);
  return object;
}

}  // namespace percycle
