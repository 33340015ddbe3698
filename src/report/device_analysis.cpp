#include "report/device_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <unordered_map>

#include "analysis/repeated_point.hpp"
#include "report/hierarchy_text.hpp"
#include "report/text_table.hpp"

namespace percycle {
namespace {

std::string comparison_text(const std::vector<CacheComparison>& comparison) {
  if (comparison.empty()) return "";
  TextTable table{
      {{"property", Align::left}, {"measured"}, {"driver"}, {"catalogue"}, {"verdict", Align::left}, {"", Align::left}}, {}};
  // The notes are too long for a column.
  std::vector<std::string> notes;
  for (const auto& row : comparison) {
    std::string mark;
    if (!row.note.empty()) {
      auto note = std::find(notes.begin(), notes.end(), row.note);
      if (note == notes.end()) note = notes.insert(notes.end(), row.note);
      mark = fmt::format("[{}]", note - notes.begin() + 1);
    }
    table.rows.push_back({{row.subject, row.measured.value_or("-"), row.driver.value_or("-"), row.catalogue.value_or("-"),
                           std::string(to_string(row.verdict)), mark},
                          {}});
  }
  std::string text = "\nComparison with the driver and the catalogue\n" + render(table, "  ");
  for (std::size_t i = 0; i < notes.size(); ++i) text += fmt::format("  [{}] {}\n", i + 1, notes[i]);
  return text;
}

}  // namespace

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
  if (found.levels.empty() && found.memory.empty()) {
    return fmt::format(
        "{}\nCaches were not measured: the record has no latency curve of optimised code, which `percycle run latency` "
        "measures.\n{}{}",
        heading(analysis), hierarchy_tables(found), hierarchy_evidence(found));
  }
  const auto sentence = hierarchy_sentence(found);
  return fmt::format("{}\n{}\n{}{}{}", heading(analysis), sentence.empty() ? "No cache level was found." : sentence,
                     hierarchy_tables(found), comparison_text(analysis.comparison), hierarchy_evidence(found));
}

}  // namespace percycle
