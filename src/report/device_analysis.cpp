#include "report/device_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/hierarchy_json.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

struct Collected {
  Header header;
  std::size_t runs = 0;
  std::vector<PointResult> results;
};

bool same_device(const Header& a, const Header& b) {
  return a.identity == b.identity && a.device.api == b.device.api && a.device.driver == b.device.driver;
}

bool is_simulated(const Header& header) { return header.device.api == Api::sim; }

}  // namespace

std::vector<DeviceAnalysis> analyze(const std::vector<LoadedFile>& files) {
  std::vector<Collected> devices;
  for (const auto& file : files) {
    for (const Run& run : runs(file)) {
      auto found = std::find_if(devices.begin(), devices.end(),
                                [&](const Collected& one) { return same_device(one.header, *run.header); });
      if (found == devices.end()) found = devices.insert(devices.end(), Collected{});
      found->header = *run.header;
      ++found->runs;
      for (const PointHistory& point : run.points) {
        if (point.result != nullptr) found->results.push_back(*point.result);
      }
    }
  }
  std::vector<DeviceAnalysis> analyses;
  for (const auto& device : devices) {
    analyses.push_back({device.header, device.runs, device.results.size(), find_hierarchy(device.results)});
  }
  return analyses;
}

std::string heading(const DeviceAnalysis& analysis) {
  const DeviceInfo& device = analysis.header.device;
  return fmt::format("{} ({}, driver {}), {} points of {} run{}{}", device.name, to_string(device.api), device.driver,
                     analysis.points, analysis.runs, analysis.runs == 1 ? "" : "s",
                     is_simulated(analysis.header) ? ": simulated, not a measurement" : "");
}

nlohmann::json to_json(const DeviceAnalysis& analysis) {
  const Header& header = analysis.header;
  nlohmann::json object = {{"schema", 1},
                           {"source", is_simulated(header) ? "simulated" : "measured"},
                           {"device", header.device.name},
                           {"api", to_string(header.device.api)},
                           {"driver", header.device.driver},
                           {"identity", header.identity},
                           {"unit_name", header.unit_name},
                           {"runs", analysis.runs},
                           {"points", analysis.points}};
  object.update(to_json(analysis.hierarchy));
  return object;
}

}  // namespace percycle
