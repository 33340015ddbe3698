#include "report/limits_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "limits/architecture.hpp"
#include "report/text_table.hpp"

namespace percycle {
namespace {

/// "texel 8, 16 B", "load".
std::string figure(const Limit& limit) {
  const std::string_view key = name_of(limit.quantity).key;
  return limit.texel_bytes.empty() ? std::string(key) : fmt::format("{} {} B", key, fmt::join(limit.texel_bytes, ", "));
}

/// "H200 (Hopper, unit: SM)", or the architecture alone.
std::string heading(const DeviceLimits& limits) {
  const auto architecture = architecture_named(limits.architecture);
  const std::string architecture_words =
      architecture ? fmt::format("{}, unit: {}", architecture->name, architecture->unit_name) : "";
  if (limits.match != DeviceLimits::Match::device) return architecture_words;
  return architecture_words.empty() ? limits.device : fmt::format("{} ({})", limits.device, architecture_words);
}

}  // namespace

std::string to_text(const LimitsCatalogue& catalogue) {
  TextTable table{
      .columns = {{"of", Align::left}, {"figure", Align::left}, {"value"}, {"unit", Align::left}, {"provenance", Align::left}},
      .rows = {}};
  for (const LimitEntry& entry : catalogue) {
    for (const Limit& limit : entry.limits) {
      table.rows.push_back({.cells = {limit.entry, figure(limit), fmt::format("{}", limit.value),
                                      std::string(name_of(limit.quantity).meaning), std::string(to_string(limit.provenance))},
                            .remark = {}});
    }
  }
  return render(table);
}

std::string to_text(const DeviceLimits& limits) {
  std::string text = heading(limits) + "\n";
  for (const std::string& note : limits.notes) text += fmt::format("  {}\n", note);
  for (const Limit& limit : limits.limits) {
    text += fmt::format("\n  {:<12}  {} {} ({}, {})\n", figure(limit), limit.value, name_of(limit.quantity).meaning, limit.entry,
                        to_string(limit.provenance));
    text += fmt::format("      \"{}\"\n", limit.quoted);
    if (!limit.note.empty()) text += fmt::format("      {}\n", limit.note);
    text += fmt::format("      {}\n", limit.source);
  }
  return text;
}

}  // namespace percycle
