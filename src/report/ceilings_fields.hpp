#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/ceilings.hpp"
#include "report/knees.hpp"
#include "report/report_fields.hpp"

// The members of ceilings as `percycle ceilings --json` prints them. See json/fields.hpp;
// docs/commands.md describes the format.

namespace percycle {

/// Written as null if it is empty.
template <typename T>
std::variant<std::monostate, T> or_null(const std::optional<T>& value) {
  if (value) return *value;
  return {};
}

/// A row with its figures and the record behind it. `further_notes` concern more than the row.
void row_fields(auto& v, const auto& entry, const std::vector<std::string>& further_notes = {}) {
  const PointRow& row = value_behind(entry.row);
  v.required("experiment", entry.experiment);
  v.required("operation", value_behind(row.about).operation);
  v.required("parameters", question_parameters(row), kAllComputed);
  v.required("configuration", shape_parameters(row), kAllComputed);
  v.required("figures", row.figures, kAllComputed);
  std::vector<std::string> notes;
  for (const Note& note : row.notes) notes.push_back(note.text);
  notes.insert(notes.end(), further_notes.begin(), further_notes.end());
  v.required("notes", notes);
  v.object_where(entry.run != nullptr, "record", [&](auto& record) {
    const ReportRun& run = value_behind(entry.run);
    record.required("file", printable(run.file));
    record.required("run", run.header.id);
    record.required("created", printable(run.header.created));
    record.required("tool_commit", printable(run.header.tool_commit));
  });
}

void fields(auto& v, Like<Ceiling> auto& ceiling) {
  row_fields(v, ceiling);
  v.required("level", ceiling.rule == nullptr ? std::string() : level_of(ceiling));
  v.required("kind", std::string(find_figure(value_behind(ceiling.row), figures::kGbPerS) ? "bandwidth" : "rate"));
}

/// The rate of a program at its lower roof.
struct RateAtRoof {
  std::string roof;
  double gops_per_s = 0;
};

void fields(auto& v, Like<RateAtRoof> auto& rate) {
  v.required("roof", rate.roof);
  v.required("gops_per_s", rate.gops_per_s, kComputed);
}

void fields(auto& v, Like<ProgramShare> auto& program) {
  std::optional<RateAtRoof> most;
  if (program.most_gops) most = {program.roof, *program.most_gops};
  row_fields(v, program, program.notes);
  v.required("bytes_per_op", program.bytes_per_op, kComputed);
  v.required("flops_per_op", value_behind(program.rule).flops_per_op, kComputed);
  v.required("share_percent", or_null(program.share_percent()), kComputed);
  v.required("ceiling", or_null(most));
}

void fields(auto& v, Like<Knee::Neighbour> auto& point) {
  v.required("flops_per_byte", point.flops_per_byte, kComputed);
  v.required("percent_of_ceiling", point.share_percent, kComputed);
}

void fields(auto& v, Like<Knee> auto& knee) {
  v.required("level", knee.level);
  v.required("flops_per_byte_of_sweep", knee.by_sweep, kComputed);
  v.required("flops_per_byte_of_ceilings", knee.by_ceilings, kComputed);
  v.required("before", knee.before);
  v.required("after", knee.after);
}

void fields(auto& v, Like<DeviceCeilings> auto& found) {
  const ReportDevice& device = value_behind(found.device);
  device_fields(v, device);
  v.optional("units", header_of(device).device.units);
  v.required("ceilings", found.ceilings);
  v.required("programs", found.programs);
  v.required("knees", knees(found.intensity));
}

void fields(auto& v, Like<MeasuredCeilings> auto& all) {
  v.constant("schema", 1);
  v.required("percycle", std::string(tool_version()));
  v.required("devices", all.devices);
}

}  // namespace percycle
