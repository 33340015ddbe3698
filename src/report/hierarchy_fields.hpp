#pragma once

#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "json/fields.hpp"
#include "report/device_analysis.hpp"

// The members of the hierarchy as `percycle analyze --json` prints it. See json/fields.hpp;
// docs/commands.md describes the format.

namespace percycle {

/// Six significant digits: no figure is more accurate, and equal analyses print equal text.
inline double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

inline std::optional<double> rounded(const std::optional<double>& value) {
  return value ? std::optional(rounded(*value)) : std::nullopt;
}

/// Confidence and evidence, which most findings have.
void finding_fields(auto& v, const auto& finding) {
  v.required("confidence", rounded(finding.confidence), {.about = "0 to 1; below 0.7 it is doubtful", .at_least = 0});
  if constexpr (requires { finding.evidence; }) v.required("evidence", finding.evidence);
}

/// A size with its bounds.
void size_fields(auto& v, const auto& finding) {
  v.required("size_bytes", finding.size_bytes);
  v.required("size_low", finding.size_low);
  v.required("size_high", finding.size_high);
}

void fields(auto& v, Like<HierarchyLevel> auto& level) {
  v.required("path", level.path);
  v.required("name", level.name);
  size_fields(v, level);
  v.required("latency_ns", rounded(level.latency_ns), kComputed);
  v.optional("latency_cycles", rounded(level.latency_cycles), kComputed);
  v.optional("line_bytes", level.line_bytes, {.about = "covered by one tag"});
  v.optional("sector_bytes", level.sector_bytes, {.about = "fetched by one miss"});
  v.optional("ways", level.ways);
  v.optional("sets", level.sets);
  v.optional("replacement", level.replacement);
  v.required("geometry_confidence", rounded(level.geometry_confidence), {.about = "of line, sector, ways and sets"});
  finding_fields(v, level);
}

void fields(auto& v, Like<HierarchyTlb> auto& tlb) {
  v.required("path", tlb.path);
  v.required("reach_bytes", tlb.reach_bytes);
  v.optional("page_bytes", tlb.page_bytes);
  v.optional("ways", tlb.ways);
  v.required("penalty_ns", rounded(tlb.penalty_ns), kComputed);
  v.optional("penalty_cycles", rounded(tlb.penalty_cycles), kComputed);
  v.required("penalty_confidence", rounded(tlb.penalty_confidence));
  finding_fields(v, tlb);
}

void fields(auto& v, Like<HierarchyMemory> auto& memory) {
  const HierarchyMemory reached = memory.reached ? memory : HierarchyMemory();
  v.required("path", memory.path);
  v.required("reached", memory.reached, {.about = "false: the walk ends before a plateau behind the last level"});
  v.where(memory.reached, "latency_ns", rounded(memory.latency_ns), kComputed.with("in random order, without known TLBs"));
  v.optional("latency_cycles", rounded(reached.latency_cycles), kComputed);
  v.optional("together_ns", rounded(reached.together_ns), kComputed.with("of neighbours visited together"));
  v.optional("together_cycles", rounded(reached.together_cycles), kComputed);
  finding_fields(v, memory);
  v.also(true, "", "",
         R"({"if": {"properties": {"reached": {"const": true}}}, "then": {"required": ["latency_ns"]},
             "else": {"not": {"anyOf": [{"required": ["latency_ns"]}, {"required": ["together_ns"]}]}}})");
}

void fields(auto& v, Like<PrivateCopies> auto& copies) {
  v.required("path", copies.path);
  v.required("per_unit", copies.per_unit);
  finding_fields(v, copies);
}

void fields(auto& v, Like<PathSharing> auto& sharing) {
  v.constant("between", "paths");
  v.required("first", sharing.first);
  v.required("second", sharing.second);
  v.required("shared", sharing.shared);
  finding_fields(v, sharing);
}

void fields(auto& v, Like<UnitSharing> auto& sharing) {
  v.constant("between", "units");
  v.required("path", sharing.path);
  v.required("level", sharing.level, {.about = "of the path, counted from 1"});
  v.required("size_bytes", sharing.size_bytes);
  v.required("shared", sharing.shared);
  finding_fields(v, sharing);
}

void fields(auto& v, Like<InstructionCacheLevel> auto& level) {
  v.required("scope", level.scope);
  size_fields(v, level);
  v.required("cycles_per_instruction", rounded(level.cycles_per_instruction), kComputed.with("of code that it holds"));
  v.required("beyond", rounded(level.beyond), kComputed.with("of longer code"));
  finding_fields(v, level);
}

void fields(auto& v, Like<InstructionCacheOwner> auto& owner) {
  v.required("level", owner.level);
  v.required("size_bytes", owner.size_bytes);
  v.required("shared_by", owner.owner_words());
  v.required("copies", owner.copies, {.about = "in a unit"});
  finding_fields(v, owner);
}

void fields(auto& v, Like<ConstantsBesideCode> auto& found) {
  v.required("constant_bytes", found.constant_bytes);
  v.required("shared", found.shared);
  v.where(found.shared, "fitting_bytes", found.fitting_bytes, {.about = "constants and code that fitted together"});
  v.where(found.shared, "evicting_bytes", found.evicting_bytes, {.about = "constants and code that did not"});
  v.optional("level", found.level, {.about = "of the instruction caches"});
  v.required("alone_cycles", rounded(found.alone_cycles), kComputed.with("of a load without code"));
  v.required("most_cycles", rounded(found.most_cycles), kComputed.with("of a load beside the longest code"));
  finding_fields(v, found);
}

void fields(auto& v, Like<LocalSplit> auto& split) {
  v.required("path", split.path);
  v.required("local_bytes", split.local_bytes);
  size_fields(v, split);
  finding_fields(v, split);
}

void fields(auto& v, Like<ConstantWords> auto& level) {
  v.required("bytes", level.bytes);
  v.required("most_words", level.most_words);
  v.required("unit", std::string(level.in_cycles ? "cycles" : "ns"));
  v.required("one_word", rounded(level.one_word), kComputed.with("time of a load"));
  v.required("each_further", rounded(level.each_further), kComputed);
  v.required("most", rounded(level.most), kComputed.with("with most_words"));
  v.required("unevenness", rounded(level.unevenness), kComputed.with("largest distance from the line, as a share of most"));
}

void fields(auto& v, Like<ChipGrouping> auto& grouping) {
  v.required("groups", grouping.groups);
  v.required("within", rounded(grouping.within), kComputed);
  v.required("between", rounded(grouping.between), kComputed);
}

void fields(auto& v, Like<ChipMap> auto& map) {
  v.required("access", map.access);
  v.required("units", map.units);
  v.required("lines", map.lines.size());
  v.required("counts_cycles", map.counts_cycles);
  v.required("least", rounded(map.least), kComputed);
  v.required("median", rounded(map.median), kComputed);
  v.required("most", rounded(map.most), kComputed);
  v.required("noise", rounded(map.noise), kComputed);
  v.required("unit_groups", map.unit_groups);
  v.required("line_groups", map.line_groups);
}

void fields(auto& v, Like<Residency> auto& residency) {
  v.optional("groups", residency.groups);
  v.optional("subgroups", residency.subgroups);
  v.optional("invocations", residency.invocations);
  v.optional("registers", residency.registers);
  v.optional("register_step", residency.register_step);
  v.optional("local_bytes", residency.local_bytes);
  v.optional("local_step", residency.local_step);
  v.optional("local_overhead", residency.local_overhead);
  v.required("evidence", residency.evidence);
}

void fields(auto& v, Like<Hierarchy> auto& hierarchy) {
  std::vector<std::variant<PathSharing, UnitSharing>> sharing(hierarchy.sharing.paths.begin(), hierarchy.sharing.paths.end());
  sharing.insert(sharing.end(), hierarchy.sharing.units.begin(), hierarchy.sharing.units.end());
  v.required("levels", hierarchy.levels);
  v.required("tlbs", hierarchy.tlbs);
  v.required("memory", hierarchy.memory);
  v.required("private_copies", hierarchy.private_copies);
  v.required("sharing", sharing);
  v.optional("instruction_caches", hierarchy.instruction_caches.levels);
  v.optional("instruction_owners", hierarchy.instruction_sharing.owners);
  v.optional("constants_beside_code", hierarchy.instruction_sharing.constants);
  v.optional("local_splits", hierarchy.local_splits);
  v.optional("constant_words", hierarchy.constant_words);
  v.optional("chip_maps", hierarchy.chip_maps);
  v.where(!hierarchy.residency.empty(), "capacity", hierarchy.residency);
}

void fields(auto& v, Like<CacheComparison> auto& comparison) {
  v.required("property", comparison.subject);
  v.required("verdict", comparison.verdict);
  v.optional("measured_bytes", comparison.measured_bytes);
  v.optional("measured", comparison.measured);
  v.optional("driver", comparison.driver);
  v.optional("catalogue", comparison.catalogue);
  v.optional("source", comparison.source, {.about = "document, section and quote of the catalogue's entry"});
  v.optional("note", comparison.note);
}

/// The findings without the device, for a report that has it already.
void findings_fields(auto& v, Like<DeviceAnalysis> auto& analysis) {
  fields(v, analysis.hierarchy);
  v.required("comparison", analysis.comparison);
}

void fields(auto& v, Like<DeviceAnalysis> auto& analysis) {
  const Header& header = analysis.header;
  v.constant("schema", 1);
  v.required("source", header.simulated() ? Source::simulated : Source::measured);
  v.required("device", header.device.name);
  v.required("api", header.device.api);
  v.required("driver", header.device.driver);
  v.required("identity", header.identity);
  v.required("unit_name", header.unit_name);
  v.required("runs", analysis.runs);
  v.required("points", analysis.points);
  findings_fields(v, analysis);
}

}  // namespace percycle
