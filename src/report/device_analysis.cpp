#include "report/device_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <unordered_map>

#include "analysis/repeated_point.hpp"
#include "report/finding_tables.hpp"
#include "report/hierarchy_text.hpp"

namespace percycle {

/// All measurements of one device through one API.
struct AnalysisCollector::Collected {
  Header header;
  std::size_t runs = 0;
  std::size_t points = 0;
  std::vector<PointResult> results;  ///< one per point

  void add(const std::string& run, PointResult&& result) {
    const auto [entry, is_new] = seen.try_emplace(to_string(result.point), SeenPoint{results.size(), {}});
    if (is_new) {
      results.push_back(std::move(result));
    } else if (auto& earlier = results[entry->second.place]; later_counts(earlier, result)) {
      earlier = std::move(result);
    }
    if (entry->second.run != run) ++points;
    entry->second.run = run;
  }

 private:
  struct SeenPoint {
    std::size_t place = 0;
    std::string run;  ///< id of the last run that measured the point
  };
  std::unordered_map<std::string, SeenPoint> seen;
};

bool same_device(const Header& a, const Header& b) {
  return a.identity == b.identity && a.device.api == b.device.api && a.device.driver == b.device.driver;
}

AnalysisCollector::AnalysisCollector() = default;
AnalysisCollector::~AnalysisCollector() = default;

void AnalysisCollector::add(LoadedFile&& file) {
  std::map<std::string, std::size_t> device_of;  // by a header's id
  for (const Header& header : file.headers) {
    if (header.published()) continue;
    const auto found = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const Collected& device) { return same_device(device.header, header); });
    device_of[header.id] = static_cast<std::size_t>(found - devices_.begin());
    Collected& device = found == devices_.end() ? devices_.emplace_back() : *found;
    device.header = header;
    ++device.runs;
  }
  for (Entry& entry : file.entries) {
    auto* point = std::get_if<PointRecord>(&entry);
    if (point == nullptr) continue;
    const auto device = device_of.find(point->header);
    if (device != device_of.end()) devices_[device->second].add(point->header, std::move(point->result));
  }
}

std::vector<DeviceAnalysis> AnalysisCollector::finish() {
  // A thread for each: an analysis takes a good part of a second and is independent of the others.
  std::vector<std::future<DeviceAnalysis>> under_way;
  for (const Collected& device : devices_) {
    under_way.push_back(std::async(std::launch::async, [&device]() -> DeviceAnalysis {
      Hierarchy hierarchy = find_hierarchy(device.results);
      auto comparison = compare_caches(hierarchy, device.header);
      return {device.header, device.runs, device.points, std::move(hierarchy), std::move(comparison)};
    }));
  }
  std::vector<DeviceAnalysis> analyses;
  for (auto& analysis : under_way) analyses.push_back(analysis.get());
  return analyses;
}

std::vector<DeviceAnalysis> analyze(std::vector<LoadedFile> files) {
  AnalysisCollector collector;
  for (LoadedFile& file : files) {
    collector.add(std::move(file));
    file = {};
  }
  return collector.finish();
}

std::string heading(const DeviceAnalysis& analysis) {
  const DeviceInfo& device = analysis.header.device;
  return fmt::format("{} ({}, driver {}), {} points of {} run{}{}", device.name, to_string(device.api), device.driver,
                     analysis.points, analysis.runs, analysis.runs == 1 ? "" : "s",
                     analysis.header.simulated() ? ": simulated, not a measurement" : "");
}

std::string to_text(const DeviceAnalysis& analysis) {
  const Hierarchy& found = analysis.hierarchy;
  const bool has_caches = !found.levels.empty() || !found.memory.empty();
  std::string sentence = has_caches ? hierarchy_sentence(found)
                                    : "Caches were not measured: the record has no latency curve of optimised code, which "
                                      "`percycle run latency` measures.";
  if (sentence.empty()) sentence = "No cache level was found.";
  const Findings findings = has_caches ? findings_of(analysis) : findings_of(found);
  return fmt::format("{}\n{}\n{}{}{}", heading(analysis), sentence, to_text(findings.tables),
                     findings.evidence.empty() ? "" : "\nEvidence\n", findings.evidence);
}

}  // namespace percycle
