#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/figures.hpp"
#include "core/source.hpp"
#include "core/units.hpp"
#include "json/fields.hpp"
#include "report/chip_map_text.hpp"
#include "report/device_analysis.hpp"
#include "report/finding_tables.hpp"

// The kinds of findings and their columns, each declared once: for `percycle analyze`, its JSON and
// schema, the page of a report and `percycle compare`. A member with a title is a column; `shown`
// adds columns, tables and evidence that JSON has in another form (report/finding_tables.cpp).

namespace percycle {

/// "211 - 220 KiB", "960 B - 1 KiB".
std::string between(std::uint64_t low, std::uint64_t high);

inline std::string bytes_or_dash(const std::optional<std::uint64_t>& bytes) { return bytes ? format_bytes(*bytes) : "-"; }

template <typename T>
std::string number_or_dash(const std::optional<T>& value, int decimals = 0) {
  if constexpr (std::same_as<T, double>) return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
  return value ? fmt::format("{}", *value) : "-";
}

inline constexpr Rule kFigureConfidence{.at_least = 0, .digits = 6};
inline constexpr Rule kConfidence{.about = "0 to 1; below 0.7 it is doubtful", .at_least = 0, .digits = 6};

/// Confidence and evidence, which most findings have. `subject` names the finding before its
/// evidence.
void finding_fields(auto& v, const auto& finding, const std::string& subject = {}) {
  v.required("confidence", finding.confidence, kConfidence.shown("confidence", 2));
  if constexpr (requires { finding.evidence; }) {
    v.required("evidence", finding.evidence);
    v.shown([&](auto& row) { row.evidence(subject, finding.evidence); });
  }
}

/// A size with its bounds.
void size_fields(auto& v, const auto& finding, std::string_view title = "size") {
  v.required("size_bytes", finding.size_bytes, kNoRule.shown(title, 0, Better::higher));
  v.required("size_low", finding.size_low);
  v.required("size_high", finding.size_high);
  v.shown([&](auto& row) { row.bounds("between", finding.size_low, finding.size_high); });
}

void fields(auto& v, Like<HierarchyLevel> auto& level) {
  v.required("path", level.path, kNoRule.shown("path"));
  v.required("name", level.name, kNoRule.shown("level"));
  size_fields(v, level);
  v.required("confidence", level.confidence, kConfidence.with("in the size, or that the range holds it").shown("confidence", 2));
  v.optional("latency_cycles", level.latency_cycles, kRounded.shown(unit_text::kCycles, 1));
  v.required("latency_ns", level.latency_ns, kRounded.shown(unit_text::kNs, 2));
  v.required("latency_confidence", level.latency_confidence, kFigureConfidence.shown("in latency", 2));
  v.optional("line_bytes", level.line_bytes, {.about = "covered by one tag"});
  v.optional("sector_bytes", level.sector_bytes, {.about = "fetched by one miss"});
  v.optional("ways", level.ways);
  v.optional("sets", level.sets);
  v.optional("replacement", level.replacement);
  v.where(level.line_bytes.has_value(), "line_confidence", level.line_confidence, kFigureConfidence);
  v.where(level.sector_bytes.has_value(), "sector_confidence", level.sector_confidence, kFigureConfidence);
  v.where(level.ways.has_value(), "ways_confidence", level.ways_confidence, kFigureConfidence.with("in ways, sets and policy"));
  v.required("evidence", level.evidence);
  v.shown([&](auto& row) { row.evidence(fmt::format("{}, {}", level.name, level.path), level.evidence); });
}

/// Lines and sets of a level, in a table apart: beside its other columns they do not fit 120
/// characters.
inline void show_lines(auto& row, const HierarchyLevel& level) {
  if (!level.line_bytes && !level.sector_bytes && !level.ways) return;
  row.column("path", level.path);
  row.column("level", level.name);
  const auto certainty = [&](bool known, double confidence) {
    row.column("conf.", known ? fmt::format("{:.2f}", confidence) : "-", Align::right);
  };
  row.column("line", bytes_or_dash(level.line_bytes), Align::right);
  certainty(level.line_bytes.has_value(), level.line_confidence);
  row.column("sector", bytes_or_dash(level.sector_bytes), Align::right);
  certainty(level.sector_bytes.has_value(), level.sector_confidence);
  row.column("ways", number_or_dash(level.ways), Align::right);
  row.column("sets", number_or_dash(level.sets), Align::right);
  row.column("policy", level.replacement.value_or("-"));
  certainty(level.ways.has_value(), level.ways_confidence);
}

void fields(auto& v, Like<HierarchyMemory> auto& memory) {
  const HierarchyMemory reached = memory.reached ? memory : HierarchyMemory();
  const std::optional<double> ns = memory.reached ? std::optional(memory.latency_ns) : std::nullopt;
  v.required("path", memory.path, kNoRule.shown("path"));
  v.required("reached", memory.reached, {.about = "false: the walk ends before a plateau behind the last level"});
  v.shown([&](auto& row) {
    row.column(unit_text::kCycles, memory.reached ? number_or_dash(memory.latency_cycles, 1) : "not reached", Align::right);
  });
  v.optional("latency_ns", ns, kRounded.with("in random order, without known TLBs").shown(unit_text::kNs, 2));
  v.optional("latency_cycles", reached.latency_cycles, kRounded);
  v.optional("together_ns", reached.together_ns, kRounded.with("of neighbours visited together"));
  v.optional("together_cycles", reached.together_cycles, kRounded.shown(unit_text::kCyclesTogether, 1));
  v.required("confidence", memory.confidence, kConfidence);
  v.required("evidence", memory.evidence);
  v.shown([&](auto& row) {
    row.column("confidence", memory.reached ? fmt::format("{:.2f}", memory.confidence) : "-", Align::right);
    row.evidence("memory, " + memory.path, memory.evidence);
  });
  v.also(true, "", "",
         R"({"if": {"properties": {"reached": {"const": true}}}, "then": {"required": ["latency_ns"]},
             "else": {"not": {"anyOf": [{"required": ["latency_ns"]}, {"required": ["together_ns"]}]}}})");
}

void fields(auto& v, Like<HierarchyTlb> auto& tlb) {
  v.shown([](auto& row) { row.number("TLB"); });
  v.required("path", tlb.path);
  v.required("reach_bytes", tlb.reach_bytes, kNoRule.shown("reach", 0, Better::higher));
  v.optional("page_bytes", tlb.page_bytes, kNoRule.shown("page"));
  v.optional("ways", tlb.ways, kNoRule.shown("ways"));
  v.optional("penalty_cycles", tlb.penalty_cycles, kRounded.shown(unit_text::kCyclesPenalty, 1));
  v.required("penalty_ns", tlb.penalty_ns, kRounded.shown(unit_text::kNsPenalty, 1));
  finding_fields(v, tlb, fmt::format("TLB of {}", format_bytes(tlb.reach_bytes)));
  v.required("penalty_confidence", tlb.penalty_confidence, Rule{.digits = 6}.shown("in penalty", 2));
  v.where(tlb.page_bytes.has_value(), "page_confidence", tlb.page_confidence, kFigureConfidence);
}

void fields(auto& v, Like<PrivateCopies> auto& copies) {
  v.required("path", copies.path, kNoRule.shown("path"));
  v.required("per_unit", copies.per_unit, kNoRule.shown("first-level caches per unit", 0, Better::higher));
  finding_fields(v, copies, "copies, " + copies.path);
}

void fields(auto& v, Like<PathSharing> auto& sharing) {
  v.constant("between", "paths");
  v.required("first", sharing.first);
  v.required("second", sharing.second);
  v.shown([&](auto& row) { row.column("cache", fmt::format("first level of {} and {}", sharing.first, sharing.second)); });
  v.required("shared", sharing.shared, kNoRule.shown("shared"));
  finding_fields(v, sharing, fmt::format("{} and {}", sharing.first, sharing.second));
}

void fields(auto& v, Like<UnitSharing> auto& sharing) {
  const std::string cache = fmt::format("{} of {}", format_bytes(sharing.size_bytes), sharing.path);
  v.constant("between", "units");
  v.required("path", sharing.path);
  v.required("level", sharing.level, {.about = "of the path, counted from 1"});
  v.required("size_bytes", sharing.size_bytes);
  v.shown([&](auto& row) { row.column("cache", cache + ", between units"); });
  v.required("shared", sharing.shared, kNoRule.shown("shared"));
  finding_fields(v, sharing, cache + " between units");
}

void fields(auto& v, Like<InstructionCacheLevel> auto& level) {
  v.required("scope", level.scope, kNoRule.shown("subgroups"));
  size_fields(v, level);
  v.required("cycles_per_instruction", level.cycles_per_instruction,
             kRounded.with("of code that it holds").shown(unit_text::kCyclesPerInstruction, 2));
  v.required("beyond", level.beyond, kRounded.with("of longer code").shown("beyond", 2));
  finding_fields(v, level);
}

void fields(auto& v, Like<InstructionCacheOwner> auto& owner) {
  v.required("level", owner.level, kNoRule.shown("instruction cache"));
  v.required("size_bytes", owner.size_bytes, kNoRule.shown("size"));
  v.required("shared_by", owner.owner_words(), kNoRule.shown("shared by"));
  v.required("copies", owner.copies, {.about = "in a unit"});
  finding_fields(v, owner, fmt::format("owner of instruction cache {}", owner.level));
}

void fields(auto& v, Like<ConstantsBesideCode> auto& found) {
  v.required("constant_bytes", found.constant_bytes, kNoRule.shown("constants"));
  v.required("shared", found.shared, kNoRule.shown("in a cache of code"));
  v.where(found.shared, "fitting_bytes", found.fitting_bytes, {.about = "constants and code that fitted together"});
  v.where(found.shared, "evicting_bytes", found.evicting_bytes, {.about = "constants and code that did not"});
  v.shown([&](auto& row) {
    row.column("size", found.shared ? between(found.fitting_bytes, found.evicting_bytes) : "-", Align::right);
  });
  v.optional("level", found.level, Rule{.about = "of the instruction caches"}.shown("level"));
  v.required("alone_cycles", found.alone_cycles, kRounded.with("of a load without code").shown(unit_text::kCycles, 1));
  v.required("most_cycles", found.most_cycles, kRounded.with("of a load beside the longest code").shown("beside code", 1));
  finding_fields(v, found, fmt::format("{} of constants", format_bytes(found.constant_bytes)));
}

void fields(auto& v, Like<LocalSplit> auto& split) {
  v.required("path", split.path, kNoRule.shown("path"));
  v.required("local_bytes", split.local_bytes, kNoRule.shown("local memory declared"));
  size_fields(v, split, "first cache");
  finding_fields(v, split);
}

void fields(auto& v, Like<Residency> auto& residency) {
  v.optional("groups", residency.groups);
  v.optional("subgroups", residency.subgroups);
  v.optional("invocations", residency.invocations);
  v.optional("registers", residency.registers);
  v.optional("register_step", residency.register_step);
  v.optional("most_registers", residency.most_registers, kNoRule.with("of an invocation in the largest kernel without spills"));
  v.optional("local_bytes", residency.local_bytes);
  v.optional("local_step", residency.local_step);
  v.optional("local_overhead", residency.local_overhead);
  v.required("evidence", residency.evidence);
}

/// A row per resource of a unit.
inline void show_residency(auto& table, const Residency& unit) {
  const auto add = [&](const char* resource, const std::string& held, const std::string& step, const std::string& overhead) {
    if (held == "-") return;
    table.row([&](auto& row) {
      row.column("a unit holds at once", resource);
      row.column("", held, Align::right);
      row.column("in steps of", step, Align::right);
      row.column("beside each group", overhead, Align::right);
    });
  };
  add("invocations", number_or_dash(unit.invocations), "-", "-");
  add("subgroups", number_or_dash(unit.subgroups), "-", "-");
  add("work-groups", number_or_dash(unit.groups), "-", "-");
  add("registers of 32 bits", number_or_dash(unit.registers), number_or_dash(unit.register_step), "-");
  add("registers of an invocation, at least", number_or_dash(unit.most_registers), "-", "-");
  add("local memory", bytes_or_dash(unit.local_bytes), bytes_or_dash(unit.local_step), bytes_or_dash(unit.local_overhead));
}

void fields(auto& v, Like<ConstantWords> auto& level) {
  v.required("bytes", level.bytes);
  v.shown([&](auto& row) { row.column("constants", format_bytes(level.bytes)); });
  v.required("one_word", level.one_word, kRounded.with("time of a load").shown("one word", 1));
  v.required("each_further", level.each_further, kRounded.shown("each further word", 2));
  v.required("most", level.most, kRounded.with("with most_words").shown("at most", 1));
  v.required("most_words", level.most_words, kNoRule.shown("words"));
  v.required("unit", std::string(level.in_cycles ? unit_text::kCycles : unit_text::kNs), kNoRule.shown("unit"));
  v.required("unevenness", level.unevenness, kRounded.with("largest distance from the line, as a share of most"));
  v.shown([&](auto& row) { row.column("off the line", fmt::format("{:.1f} %", 100 * level.unevenness), Align::right); });
}

void fields(auto& v, Like<LoadCurve> auto& curve) {
  v.required("level", curve.level, kNoRule.shown("level"));
  v.required("operation", curve.operation, kNoRule.shown("the others"));
  v.required("idle", curve.idle, kRounded.with("latency of a load while no other unit works").shown("idle", 1));
  v.required("loaded", curve.loaded, kRounded.with("latency with the most traffic").shown("loaded", 1));
  v.required("unit", std::string(curve.in_cycles ? unit_text::kCycles : unit_text::kNs), kNoRule.shown("unit"));
  v.optional("knee_gb_per_s", curve.knee_gb_per_s,
             kRounded.with("traffic at which the latency is 1.5 times the idle one").shown("GB/s at 1.5 times idle", 1));
  v.required("most_gb_per_s", curve.most_gb_per_s, kRounded.with("the most traffic").shown("most GB/s", 1));
}

void fields(auto& v, Like<ChipGrouping> auto& grouping) {
  v.required("groups", grouping.groups);
  v.required("within", grouping.within, kRounded);
  v.required("between", grouping.between, kRounded);
}

void fields(auto& v, Like<ChipMap> auto& map) {
  // A line per grouping, since all of them beside each other do not fit 120 characters.
  const auto sizes = [](const std::vector<ChipGrouping>& groupings) {
    std::string lines;
    for (const ChipGrouping& grouping : groupings) lines += (lines.empty() ? "" : "\n") + group_sizes(grouping);
    return lines.empty() ? "-" : lines;
  };
  v.required("access", map.access, kNoRule.shown("access"));
  v.required("lines", map.lines.size(), kNoRule.shown("lines"));
  v.required("units", map.units, kNoRule.shown("units"));
  v.required("counts_cycles", map.counts_cycles);
  v.required("least", map.least, kRounded.shown("least", 1));
  v.required("median", map.median, kRounded.shown("median", 1));
  v.required("most", map.most, kRounded.shown("most", 1));
  v.required("noise", map.noise, kRounded);
  v.required("unit_groups", map.unit_groups);
  v.required("line_groups", map.line_groups);
  v.shown([&](auto& row) {
    row.column("unit", counter_unit(map.counts_cycles));
    row.column("units alike", sizes(map.unit_groups));
    row.column("lines alike", sizes(map.line_groups));
  });
}

/// The kinds of findings, in the order of the tables and their evidence.
void fields(auto& v, Like<Hierarchy> auto& hierarchy) {
  std::vector<std::variant<PathSharing, UnitSharing>> sharing(hierarchy.sharing.paths.begin(), hierarchy.sharing.paths.end());
  sharing.insert(sharing.end(), hierarchy.sharing.units.begin(), hierarchy.sharing.units.end());
  v.required("levels", hierarchy.levels, kNoRule.shown(kLevelsTitle));
  v.required("memory", hierarchy.memory, kNoRule.shown("After the last level, or the whole path without an edge"));
  v.shown([&](auto& tables) {
    tables.table("Lines and sets of the levels", [&](auto& table) {
      for (const HierarchyLevel& level : hierarchy.levels) table.row([&](auto& row) { show_lines(row, level); });
    });
  });
  v.required("tlbs", hierarchy.tlbs, kNoRule.shown("Translation"));
  v.required("private_copies", hierarchy.private_copies, kNoRule.shown("Private copies"));
  v.required("sharing", sharing, kNoRule.shown("Sharing"));
  v.optional("instruction_caches", hierarchy.instruction_caches.levels, kNoRule.shown("Instruction caches"));
  v.shown([&](auto& tables) { tables.evidence("instruction caches", hierarchy.instruction_caches.evidence); });
  v.optional("instruction_owners", hierarchy.instruction_sharing.owners, kNoRule.shown("Owners of the instruction caches"));
  v.shown([&](auto& tables) { tables.evidence("owners of instruction caches", hierarchy.instruction_sharing.evidence); });
  v.optional("constants_beside_code", hierarchy.instruction_sharing.constants, kNoRule.shown("Constants beside code"));
  v.optional("local_splits", hierarchy.local_splits, kNoRule.shown("First cache beside local memory"));
  v.where(!hierarchy.residency.empty(), "capacity", hierarchy.residency);
  v.shown([&](auto& tables) {
    tables.table("Residency", [&](auto& table) { show_residency(table, hierarchy.residency); });
    tables.evidence("capacity of a unit", hierarchy.residency.evidence);
  });
  v.optional("constant_words", hierarchy.constant_words, kNoRule.shown("Constants by the distinct words of a load"));
  v.optional("load_curves", hierarchy.load_curves, kNoRule.shown("Latency under load"));
  v.optional("chip_maps", hierarchy.chip_maps, kNoRule.shown("Map of the chip"));
}

void fields(auto& v, Like<CacheComparison> auto& comparison) {
  v.required("property", comparison.subject, kNoRule.shown("property"));
  v.optional("measured_bytes", comparison.measured_bytes);
  v.optional("measured", comparison.measured);
  v.optional("driver", comparison.driver);
  v.optional("catalogue", comparison.catalogue);
  v.shown([&](auto& row) {
    row.column("measured", comparison.measured.value_or("-"), Align::right);
    row.column("driver", comparison.driver.value_or("-"), Align::right);
    row.column("catalogue", comparison.catalogue.value_or("-"), Align::right);
  });
  v.required("verdict", comparison.verdict, kNoRule.shown("verdict"));
  v.optional("source", comparison.source, {.about = "document, section and quote of the catalogue's entry"});
  v.optional("note", comparison.note);
  v.shown([&](auto& row) { row.note(comparison.note); });
}

/// The findings without the device, for a report that has it already.
void findings_fields(auto& v, Like<DeviceAnalysis> auto& analysis) {
  fields(v, analysis.hierarchy);
  v.required("comparison", analysis.comparison, kNoRule.shown("Comparison with the driver and the catalogue"));
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
