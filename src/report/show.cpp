#include "report/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "device/selector.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/clock_table.hpp"
#include "report/experiment_table.hpp"
#include "report/handover_map.hpp"
#include "report/tally.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

constexpr std::string_view kHandoverMap = "atomic-heatmap";  // too many rows for a table

std::string made(const Header& header) {
  return header.simulated() ? fmt::format("simulated {}, not a measurement", header.created)
                            : fmt::format("measured {}", header.created);
}

std::string published_heading(const Header& header) {
  const Publication& from = header.publication.value();
  return fmt::format(
      "{} ({}{}{})\n"
      "published in {}, {} ({}); not measured by percycle\n"
      "unit as printed: {}; method: {}\n",
      header.device.name, header.device.vendor, from.toolchain.empty() ? "" : ", ", from.toolchain, from.document, from.place,
      from.year, from.printed_unit, from.method);
}

std::string heading(const Header& header) {
  if (header.published()) return published_heading(header);
  const DeviceInfo& device = header.device;
  std::string text = header.simulated() ? fmt::format("{} ({}, {})\n", device.name, selector(device), device.driver)
                                        : fmt::format("{} ({} {}, driver {})\n", device.name, to_string(device.api),
                                                      device.api_version, device.driver);
  if (device.units) {
    text += fmt::format("{} x {} ({}), ", device.units->value, header.unit_name.empty() ? "unit" : header.unit_name,
                        to_string(device.units->provenance));
  }
  text += fmt::format("{}, preset {}, percycle {}", made(header), header.options.preset, header.tool_version);
  if (!header.tool_commit.empty()) text += fmt::format(" ({})", header.tool_commit);
  return text + '\n';
}

std::string show_run(const Run& run, const LimitsCatalogue& catalogue) {
  std::map<std::string, std::vector<const PointResult*>> experiments;
  for (const PointHistory& point : run.points) {
    if (point.result) experiments[point.point->experiment].push_back(point.result);
  }

  const DeviceLimits limits = limits_of_device(catalogue, *run.header);
  std::string text = heading(*run.header);
  for (const auto& [name, results] : experiments) {
    text += '\n' + (name == kHandoverMap ? handover_map(results) : experiment_table(name, results, *run.header, limits));
  }
  if (const std::string clocks = clock_table(experiments); !clocks.empty()) text += '\n' + clocks;
  if (run.header->published()) return text + fmt::format("\n{} published points\n", run.points.size());
  Tally tally;
  count(tally, run);
  text += fmt::format("\n{} points: {}\n", tally.finished() + tally.unfinished, to_string(tally));
  return text;
}

}  // namespace

std::string show(const LoadedFile& file, const LimitsCatalogue& catalogue) {
  std::string text;
  for (const Run& run : runs(file)) {
    if (!text.empty()) text += '\n';
    text += show_run(run, catalogue);
  }
  return text;
}

}  // namespace percycle
