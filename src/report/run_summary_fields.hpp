#pragma once

#include <cstddef>
#include <vector>

#include "core/version.hpp"
#include "report/key_figures_fields.hpp"
#include "report/run_summary.hpp"

// The members of `percycle summary --json`. See json/fields.hpp; docs/commands.md describes the
// format.

namespace percycle {

/// A device of a summary with its column.
struct SummedDevice {
  const RunSummary* summary = nullptr;
  std::size_t column = 0;
};

void fields(auto& v, Like<SummedDevice> auto& one) {
  const RunSummary& summary = value_behind(one.summary);
  const ReportDevice& device = value_behind(one.summary != nullptr ? summary.devices[one.column] : nullptr);
  device_fields(v, device);
  v.required("label", printable(device.label));
  v.required("ok", static_cast<std::uint64_t>(device.tally.by_status[static_cast<std::size_t>(Status::ok)]));
  v.required("finished", static_cast<std::uint64_t>(device.tally.finished()));
  v.required("seconds", device.seconds, kRounded);
  v.required("compile_seconds", device.compile_seconds, kRounded);
  values_fields(v, "values", summary.figures, one.column, &KeyCell::value);
}

void fields(auto& v, Like<RunSummary> auto& summary) {
  std::vector<SummedDevice> devices;
  for (std::size_t i = 0; i < summary.devices.size(); ++i) devices.push_back({&summary, i});
  v.constant("schema", 1);
  v.required("percycle", std::string(tool_version()));
  v.required("figures", summary.figures.rows);
  v.required("devices", devices);
}

}  // namespace percycle
