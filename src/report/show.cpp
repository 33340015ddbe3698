#include "report/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "device/selector.hpp"
#include "presentation/presentation.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/chip_map_text.hpp"
#include "report/clock_table.hpp"
#include "report/experiment_table.hpp"
#include "report/narrow_table.hpp"
#include "report/pair_map.hpp"
#include "report/scheduler_text.hpp"
#include "report/tally.hpp"
#include "report/wrap.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

std::string made(const Header& header) {
  return header.simulated() ? fmt::format("simulated {}, not a measurement", header.created)
                            : fmt::format("measured {}", header.created);
}

/// "132 x SM (reported)", if the header has their number.
std::string units(const Header& header) {
  return fmt::format("{} x {} ({})", header.device.units->value, header.shown_unit(), to_string(header.device.units->provenance));
}

std::string published_heading(const Header& header) {
  const Publication& from = header.publication.value();
  return fmt::format(
      "{} ({}{}{})\n"
      "published in {}, {} ({}{}); not measured by percycle\n"
      "unit as printed: {}; method: {}\n{}",
      header.device.name, header.device.vendor, from.toolchain.empty() ? "" : ", ", from.toolchain, from.document, from.place,
      from.year, from.prose ? ", prose" : "", from.printed_unit, from.method, header.device.units ? units(header) + '\n' : "");
}

std::string heading(const Header& header, const std::string& name) {
  if (header.published()) return published_heading(header);
  const DeviceInfo& device = header.device;
  std::string text = header.simulated()
                         ? fmt::format("{} ({}, {})\n", name, selector(device), device.driver)
                         : fmt::format("{} ({} {}, driver {})\n", name, to_string(device.api), device.api_version, device.driver);
  if (device.units) text += units(header) + ", ";
  text += fmt::format("{}, preset {}, percycle {}", made(header), header.options.preset, header.tool_version);
  if (!header.tool_commit.empty()) text += fmt::format(" ({})", header.tool_commit);
  return text + '\n';
}

std::string show_run(const Run& run, const LimitsCatalogue& catalogue, const ShowOptions& options) {
  std::map<std::string, std::vector<const PointResult*>> experiments;
  for (const PointHistory& point : run.points) {
    if (point.result) experiments[point.point->experiment].push_back(point.result);
  }

  const DeviceLimits limits = limits_of_device(catalogue, *run.header);
  const auto named = options.names.find(run.header->id);
  std::string text = heading(*run.header, named == options.names.end() ? run.header->device.name : named->second);
  for (const auto& [name, results] : experiments) {
    const Presentation& about = presentation_of(name);
    text += '\n';
    text += !about.pairs.empty()              ? pair_map(name, results)
            : about.map == PairMap::subgroups ? scheduler_text(name, results)
            : about.map == PairMap::lines     ? chip_map_text(name, results)
                                              : experiment_table(name, results, *run.header, limits, options.width);
  }
  if (const std::string clocks = clock_table(experiments); !clocks.empty()) text += '\n' + clocks;
  if (run.header->published()) {
    const auto count = run.points.size();
    return text + fmt::format("\n{} published {}\n", count, count == 1 ? "point" : "points");
  }
  Tally tally;
  count(tally, run);
  text += fmt::format("\n{} points: {}\n", tally.finished() + tally.unfinished, to_string(tally));
  return text;
}

}  // namespace

std::string show(const LoadedFile& file, const LimitsCatalogue& catalogue, const ShowOptions& options) {
  std::string text;
  for (const Run& run : filtered(runs(file), options.filter)) {
    if (!text.empty()) text += '\n';
    text += show_run(run, catalogue, options);
  }
  return options.width == TableWidth::wide ? text : wrap_lines(text, kTableColumns);
}

}  // namespace percycle
