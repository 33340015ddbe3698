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

nlohmann::json to_json(const Limit& limit) {
  nlohmann::json json = {{"figure", name_of(limit.quantity).key},
                         {"value", limit.value},
                         {"unit", name_of(limit.quantity).meaning},
                         {"of", limit.entry},
                         {"provenance", to_string(limit.provenance)},
                         {"source", limit.source},
                         {"quoted", limit.quoted}};
  if (!limit.texel_bytes.empty()) json["texel_bytes"] = limit.texel_bytes;
  if (!limit.note.empty()) json["note"] = limit.note;
  return json;
}

nlohmann::json to_json(const std::vector<Limit>& limits) {
  auto json = nlohmann::json::array();
  for (const Limit& limit : limits) json.push_back(to_json(limit));
  return json;
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

nlohmann::json to_json(const LimitsCatalogue& catalogue) {
  auto entries = nlohmann::json::array();
  for (const LimitEntry& entry : catalogue) {
    nlohmann::json json = {{"name", entry.name},
                           {"kind", entry.device ? "device" : "architecture"},
                           {"architectures", entry.architectures},
                           {"limits", to_json(entry.limits)}};
    if (!entry.note.empty()) json["note"] = entry.note;
    entries.push_back(std::move(json));
  }
  return {{"entries", std::move(entries)}};
}

nlohmann::json to_json(const DeviceLimits& limits) {
  nlohmann::json json = {{"match", to_string(limits.match)}, {"limits", to_json(limits.limits)}};
  if (!limits.device.empty()) json["device"] = limits.device;
  if (const auto architecture = architecture_named(limits.architecture)) {
    json["architecture"] = architecture->name;
    json["unit_name"] = architecture->unit_name;
  }
  if (!limits.notes.empty()) json["notes"] = limits.notes;
  return json;
}

}  // namespace percycle
