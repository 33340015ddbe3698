#include "report/hierarchy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "analysis/seen_level.hpp"
#include "core/units.hpp"
#include "report/chip_map_text.hpp"
#include "report/text_table.hpp"

namespace percycle {

std::string size_words(const HierarchyLevel& level) {
  if (is_vague(level)) return fmt::format("{} to {}", format_bytes(level.size_low), format_bytes(level.size_high));
  return format_bytes(level.size_bytes);
}

const char* doubt_words(double confidence) { return confidence < kStatedConfidence ? "perhaps " : ""; }

namespace {

std::string bytes_or_dash(const std::optional<std::uint64_t>& bytes) { return bytes ? format_bytes(*bytes) : "-"; }

template <typename T>
std::string number_or_dash(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string cycles_or_dash(const std::optional<double>& cycles) { return cycles ? fmt::format("{:.1f}", *cycles) : "-"; }

std::string latency_words(const std::optional<double>& cycles, double ns) {
  return cycles ? fmt::format("{:.1f} cycles", *cycles) : fmt::format("{:.2f} ns", ns);
}

/// "211 - 220 KiB", "960 B - 1 KiB".
std::string between(std::uint64_t low, std::uint64_t high) {
  std::string from = format_bytes(low);
  const std::string to = format_bytes(high);
  const std::size_t unit = from.find(' ');
  if (to.ends_with(from.substr(unit))) from.erase(unit);
  return fmt::format("{} - {}", from, to);
}

/// ", 128 B lines, 4-way"; "" if neither is known.
std::string geometry_words(const HierarchyLevel& level) {
  std::string words = level.line_bytes ? fmt::format(", {} lines", format_bytes(*level.line_bytes)) : "";
  if (level.ways) words += level.sets == 1u ? ", fully associative" : fmt::format(", {}-way", *level.ways);
  if (words.empty() || !is_geometry_doubtful(level)) return words;
  return ", perhaps " + words.substr(2);
}

/// Doubtful lines and ways come last, so that "perhaps" is about them alone.
std::string level_words(const HierarchyLevel& level) {
  const std::string latency = ", " + latency_words(level.latency_cycles, level.latency_ns);
  const std::string geometry = geometry_words(level);
  return fmt::format("{} {}{}", level.name, size_words(level),
                     is_geometry_doubtful(level) ? latency + geometry : geometry + latency);
}

/// Findings of a sentence. Those below kStatedConfidence follow "perhaps"; the lowest confidence of
/// the others ends the sentence.
class Findings {
 public:
  void add(const std::string& text, double confidence) {
    add_certain(doubt_words(confidence) + text);
    if (confidence >= kStatedConfidence) least_ = std::min(least_.value_or(1), confidence);
  }
  void add_certain(const std::string& text) { text_ += (text_.empty() ? "" : "; ") + text; }
  /// Confidence is rounded down: it is a floor.
  std::string sentence() const {
    return least_ ? fmt::format("{} (confidence {:.2f} or more)", text_, std::floor(100 * *least_) / 100) : text_;
  }

 private:
  std::string text_;
  std::optional<double> least_;
};

/// A heading with its table; empty if there are no rows.
std::string section(const std::string& title, const TextTable& table) {
  return table.rows.empty() ? "" : fmt::format("\n{}\n{}", title, render(table, "  "));
}

std::string levels_table(const Hierarchy& hierarchy) {
  TextTable table{{{"path", Align::left}, {"level", Align::left}, {"size"}, {"between"}, {"cycles"}, {"ns"}, {"confidence"}}, {}};
  for (const auto& level : hierarchy.levels) {
    table.rows.push_back(
        {{level.path, level.name, format_bytes(level.size_bytes), between(level.size_low, level.size_high),
          cycles_or_dash(level.latency_cycles), fmt::format("{:.2f}", level.latency_ns), fmt::format("{:.2f}", level.confidence)},
         {}});
  }
  return section("Levels", table);
}

/// A table apart: with these columns, the table of levels is wider than 120 characters.
std::string lines_table(const Hierarchy& hierarchy) {
  TextTable table{{{"path", Align::left},
                   {"level", Align::left},
                   {"line"},
                   {"sector"},
                   {"ways"},
                   {"sets"},
                   {"policy", Align::left},
                   {"confidence"}},
                  {}};
  for (const auto& level : hierarchy.levels) {
    if (!level.line_bytes && !level.sector_bytes && !level.ways) continue;
    table.rows.push_back(
        {{level.path, level.name, bytes_or_dash(level.line_bytes), bytes_or_dash(level.sector_bytes), number_or_dash(level.ways),
          number_or_dash(level.sets), level.replacement.value_or("-"), fmt::format("{:.2f}", level.geometry_confidence)},
         {}});
  }
  return section("Lines and sets of the levels", table);
}

std::string memory_table(const Hierarchy& hierarchy) {
  TextTable table{{{"path", Align::left}, {"cycles"}, {"ns"}, {"cycles, neighbours together"}, {"confidence"}}, {}};
  for (const auto& memory : hierarchy.memory) {
    if (!memory.reached) {
      table.rows.push_back({{memory.path, "not reached", "-", "-", "-"}, {}});
      continue;
    }
    table.rows.push_back({{memory.path, cycles_or_dash(memory.latency_cycles), fmt::format("{:.2f}", memory.latency_ns),
                           cycles_or_dash(memory.together_cycles), fmt::format("{:.2f}", memory.confidence)},
                          {}});
  }
  return section("After the last level, or the whole path without an edge", table);
}

std::string tlbs_table(const Hierarchy& hierarchy) {
  TextTable table{
      {{"TLB", Align::left}, {"reach"}, {"page"}, {"ways"}, {"penalty cycles"}, {"penalty ns"}, {"confidence"}, {"in penalty"}},
      {}};
  unsigned number = 0;
  for (const auto& tlb : hierarchy.tlbs) {
    table.rows.push_back({{fmt::format("{}", ++number), format_bytes(tlb.reach_bytes), bytes_or_dash(tlb.page_bytes),
                           number_or_dash(tlb.ways), cycles_or_dash(tlb.penalty_cycles), fmt::format("{:.1f}", tlb.penalty_ns),
                           fmt::format("{:.2f}", tlb.confidence), fmt::format("{:.2f}", tlb.penalty_confidence)},
                          {}});
  }
  return section("Translation", table);
}

std::string copies_table(const Hierarchy& hierarchy) {
  TextTable table{{{"path", Align::left}, {"first-level caches per unit"}, {"confidence"}}, {}};
  for (const auto& copies : hierarchy.private_copies) {
    table.rows.push_back({{copies.path, fmt::format("{}", copies.per_unit), fmt::format("{:.2f}", copies.confidence)}, {}});
  }
  return section("Private copies", table);
}

std::string sharing_table(const Hierarchy& hierarchy) {
  TextTable table{{{"cache", Align::left}, {"shared", Align::left}, {"confidence"}}, {}};
  for (const auto& pair : hierarchy.sharing.paths) {
    table.rows.push_back({{fmt::format("first level of {} and {}", pair.first, pair.second), pair.shared ? "yes" : "no",
                           fmt::format("{:.2f}", pair.confidence)},
                          {}});
  }
  for (const auto& level : hierarchy.sharing.units) {
    table.rows.push_back({{fmt::format("{} of {}, between units", format_bytes(level.size_bytes), level.path),
                           level.shared ? "yes" : "no", fmt::format("{:.2f}", level.confidence)},
                          {}});
  }
  return section("Sharing", table);
}

std::string instructions_table(const Hierarchy& hierarchy) {
  TextTable table{{{"subgroups", Align::left}, {"size"}, {"between"}, {"cycles per instruction"}, {"beyond"}, {"confidence"}},
                  {}};
  for (const auto& level : hierarchy.instruction_caches.levels) {
    table.rows.push_back({{level.scope, format_bytes(level.size_bytes), between(level.size_low, level.size_high),
                           fmt::format("{:.2f}", level.cycles_per_instruction), fmt::format("{:.2f}", level.beyond),
                           fmt::format("{:.2f}", level.confidence)},
                          {}});
  }
  return section("Instruction caches", table);
}

std::string owners_table(const Hierarchy& hierarchy) {
  TextTable table{{{"instruction cache"}, {"size"}, {"shared by", Align::left}, {"confidence"}}, {}};
  for (const auto& owner : hierarchy.instruction_sharing.owners) {
    table.rows.push_back({{fmt::format("{}", owner.level), format_bytes(owner.size_bytes), owner.owner_words(),
                           fmt::format("{:.2f}", owner.confidence)},
                          {}});
  }
  return section("Owners of the instruction caches", table);
}

std::string code_constants_table(const Hierarchy& hierarchy) {
  TextTable table{
      {{"constants"}, {"in a cache of code", Align::left}, {"size"}, {"level"}, {"cycles"}, {"beside code"}, {"confidence"}}, {}};
  for (const auto& found : hierarchy.instruction_sharing.constants) {
    table.rows.push_back({{format_bytes(found.constant_bytes), found.shared ? "yes" : "no",
                           found.shared ? between(found.fitting_bytes, found.evicting_bytes) : "-",
                           found.level ? fmt::format("{}", *found.level) : "-", fmt::format("{:.1f}", found.alone_cycles),
                           fmt::format("{:.1f}", found.most_cycles), fmt::format("{:.2f}", found.confidence)},
                          {}});
  }
  return section("Constants beside code", table);
}

std::string splits_table(const Hierarchy& hierarchy) {
  TextTable table{{{"path", Align::left}, {"local memory declared"}, {"first cache"}, {"between"}, {"confidence"}}, {}};
  for (const auto& split : hierarchy.local_splits) {
    table.rows.push_back({{split.path, format_bytes(split.local_bytes), format_bytes(split.size_bytes),
                           between(split.size_low, split.size_high), fmt::format("{:.2f}", split.confidence)},
                          {}});
  }
  return section("First cache beside local memory", table);
}

std::string constants_table(const Hierarchy& hierarchy) {
  TextTable table{{{"constants", Align::left},
                   {"one word"},
                   {"each further word"},
                   {"at most"},
                   {"words"},
                   {"unit", Align::left},
                   {"off the line"}},
                  {}};
  for (const ConstantWords& level : hierarchy.constant_words) {
    table.rows.push_back(
        {{format_bytes(level.bytes), fmt::format("{:.1f}", level.one_word), fmt::format("{:.2f}", level.each_further),
          fmt::format("{:.1f}", level.most), fmt::format("{}", level.most_words), level.in_cycles ? "cycles" : "ns",
          fmt::format("{:.1f} %", 100 * level.unevenness)},
         {}});
  }
  return section("Constants by the distinct words of a load", table);
}

std::string chip_table(const Hierarchy& hierarchy) {
  TextTable table{{{"access", Align::left},
                   {"lines"},
                   {"units"},
                   {"least"},
                   {"median"},
                   {"most"},
                   {"unit", Align::left},
                   {"units alike", Align::left},
                   {"lines alike", Align::left}},
                  {}};
  // One line per grouping, since all of them side by side do not fit 120 characters.
  const auto sizes = [](const std::vector<ChipGrouping>& groupings, std::size_t i) -> std::string {
    return i < groupings.size() ? group_sizes(groupings[i]) : i == 0 ? "-" : "";
  };
  for (const ChipMap& map : hierarchy.chip_maps) {
    table.rows.push_back({{map.access, fmt::format("{}", map.lines.size()), fmt::format("{}", map.units),
                           fmt::format("{:.1f}", map.least), fmt::format("{:.1f}", map.median), fmt::format("{:.1f}", map.most),
                           map.counts_cycles ? "cycles" : "ticks", sizes(map.unit_groups, 0), sizes(map.line_groups, 0)},
                          {}});
    for (std::size_t i = 1; i < std::max(map.unit_groups.size(), map.line_groups.size()); ++i)
      table.rows.push_back({{"", "", "", "", "", "", "", sizes(map.unit_groups, i), sizes(map.line_groups, i)}, {}});
  }
  return section("Map of the chip", table);
}

std::string residency_table(const Residency& unit) {
  TextTable table{{{"a unit holds at once", Align::left}, {"", Align::right}, {"in steps of"}, {"beside each group"}}, {}};
  const auto add = [&](const char* resource, const std::string& text, const std::string& step, const std::string& overhead) {
    if (text != "-") table.rows.push_back({{resource, text, step, overhead}, {}});
  };
  add("invocations", number_or_dash(unit.invocations), "-", "-");
  add("subgroups", number_or_dash(unit.subgroups), "-", "-");
  add("work-groups", number_or_dash(unit.groups), "-", "-");
  add("registers of 32 bits", number_or_dash(unit.registers), number_or_dash(unit.register_step), "-");
  add("local memory", bytes_or_dash(unit.local_bytes), bytes_or_dash(unit.local_step), bytes_or_dash(unit.local_overhead));
  return section("Residency", table);
}

/// The path of the sentence: the global one if it has a level, else the first of those that show
/// the most levels, caches of constants last.
std::string stated_path(const Hierarchy& hierarchy) {
  const auto& levels = hierarchy.levels;
  const auto rank = [&](const HierarchyLevel& level) {
    const auto on_same_path = [&](const auto& other) { return other.path == level.path; };
    return std::tuple(level.path == kClosestPath, level.path != kConstantPath,
                      std::count_if(levels.begin(), levels.end(), on_same_path));
  };
  return std::max_element(levels.begin(), levels.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); })->path;
}

/// The L1 that another path shows if this path's levels begin with an L2; else nullptr.
const HierarchyLevel* bypassed_l1(const Hierarchy& hierarchy, const std::string& path) {
  const auto& levels = hierarchy.levels;
  const auto first = std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.path == path; });
  if (first == levels.end() || !first->name.starts_with("L2")) return nullptr;
  const auto l1 = std::find_if(levels.begin(), levels.end(), [](const auto& level) { return level.name == "L1"; });
  return l1 == levels.end() ? nullptr : &*l1;
}

std::string evidence_of(const std::string& subject, const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += fmt::format("  {}: {}\n", subject, line);
  return text;
}

}  // namespace

std::string hierarchy_sentence(const Hierarchy& hierarchy) {
  if (hierarchy.levels.empty()) return "";
  const std::string path = stated_path(hierarchy);
  // A program may hold few constants, so their walk ends in a cache.
  const std::string behind = path == kConstantPath ? "constants behind it " : "memory ";
  Findings findings;
  if (const auto* l1 = bypassed_l1(hierarchy, path))
    findings.add(fmt::format("{} ({})", level_words(*l1), l1->path), l1->confidence);
  for (const auto& level : hierarchy.levels) {
    if (level.path == path) findings.add(level_words(level), level.confidence);
  }
  for (const auto& memory : hierarchy.memory) {
    if (memory.path != path) continue;
    if (memory.reached) {
      findings.add(behind + latency_words(memory.stated_cycles(), memory.stated_ns()), memory.confidence);
    } else {
      findings.add_certain(behind + "not reached");
    }
  }
  if (!hierarchy.tlbs.empty()) {
    const auto& first = hierarchy.tlbs.front();
    findings.add("first TLB reach " + format_bytes(first.reach_bytes), first.confidence);
  }
  for (const auto& owner : hierarchy.instruction_sharing.owners) {
    findings.add(
        fmt::format("instruction cache {} of {} shared by {}", owner.level, format_bytes(owner.size_bytes), owner.owner_words()),
        owner.confidence);
  }
  for (const auto& found : hierarchy.instruction_sharing.constants) {
    if (found.level) findings.add(fmt::format("constants live in instruction cache {}", *found.level), found.confidence);
  }
  return findings.sentence();
}

std::string hierarchy_tables(const Hierarchy& hierarchy) {
  return levels_table(hierarchy) + memory_table(hierarchy) + lines_table(hierarchy) + tlbs_table(hierarchy) +
         copies_table(hierarchy) + sharing_table(hierarchy) + instructions_table(hierarchy) + owners_table(hierarchy) +
         code_constants_table(hierarchy) + splits_table(hierarchy) + residency_table(hierarchy.residency) +
         constants_table(hierarchy) + chip_table(hierarchy);
}

std::string hierarchy_evidence(const Hierarchy& hierarchy) {
  std::string text;
  for (const auto& level : hierarchy.levels) text += evidence_of(fmt::format("{}, {}", level.name, level.path), level.evidence);
  for (const auto& memory : hierarchy.memory) text += evidence_of(fmt::format("memory, {}", memory.path), memory.evidence);
  for (const auto& tlb : hierarchy.tlbs)
    text += evidence_of(fmt::format("TLB of {}", format_bytes(tlb.reach_bytes)), tlb.evidence);
  for (const auto& copies : hierarchy.private_copies)
    text += evidence_of(fmt::format("copies, {}", copies.path), copies.evidence);
  for (const auto& pair : hierarchy.sharing.paths)
    text += evidence_of(fmt::format("{} and {}", pair.first, pair.second), pair.evidence);
  for (const auto& level : hierarchy.sharing.units) {
    text += evidence_of(fmt::format("{} of {} between units", format_bytes(level.size_bytes), level.path), level.evidence);
  }
  text += evidence_of("instruction caches", hierarchy.instruction_caches.evidence);
  for (const auto& owner : hierarchy.instruction_sharing.owners)
    text += evidence_of(fmt::format("owner of instruction cache {}", owner.level), owner.evidence);
  text += evidence_of("owners of instruction caches", hierarchy.instruction_sharing.evidence);
  for (const auto& found : hierarchy.instruction_sharing.constants)
    text += evidence_of(fmt::format("{} of constants", format_bytes(found.constant_bytes)), found.evidence);
  text += evidence_of("capacity of a unit", hierarchy.residency.evidence);
  return text.empty() ? "" : "\nEvidence\n" + text;
}

}  // namespace percycle
