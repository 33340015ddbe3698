#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api_words.hpp"
#include "core/source.hpp"
#include "limits/limits.hpp"
#include "report/device_analysis.hpp"
#include "report/point_row.hpp"
#include "report/tally.hpp"
#include "store/load.hpp"

namespace percycle {

/// One run of a device, or the figures for it at one place of a document.
struct ReportRun {
  Header header;
  /// "2026-11-21T09:30:00Z", with the id if others began at the same time; "table 4.2".
  std::string name;
  std::string file;  ///< the record file
};

/// A reading taken during a point.
struct ClockReading {
  double seconds = 0;  ///< measuring time since the device's first point, over all runs
  std::optional<double> clock_mhz{};
  std::optional<double> power_w{};
  bool from_telemetry = false;  ///< else from the kernel's counter
};

/// All data of one device through one API, or of one device in one document.
struct ReportDevice {
  Source source = Source::measured;
  std::string label;  ///< unique name in charts: "NVIDIA H200, OpenCL"
  std::string slug;   ///< unique part of file names: "nvidia-h200-opencl"
  std::string unit_name;
  /// Number of its silicon, from 1 on; equal through both APIs; 0: a document.
  std::size_t card = 0;
  std::deque<ReportRun> runs;
  /// Every finished point, run after run.
  std::map<std::string, std::vector<PointRow>> experiments;
  std::vector<ClockReading> clocks;
  std::optional<double> highest_w{};  ///< of all readings of power
  std::optional<double> most_w{};     ///< the card's power limit; of several runs the last
  std::optional<double> most_mhz{};   ///< the highest core clock by the driver or the catalogue
  double seconds = 0;                 ///< measuring time, as far as recorded
  double compile_seconds = 0;         ///< the same for compiling kernels ahead of the points
  Tally tally;
  std::optional<DeviceAnalysis> analysis;  ///< for measured and simulated devices

  const Header& header() const { return runs.back().header; }
};

/// The content of a report.
struct ReportData {
  std::vector<ReportDevice> devices;  ///< in the order of their first appearance
  std::size_t files = 0;
  std::size_t points = 0;  ///< finished
};

/// "nvidia-h200-opencl" of "NVIDIA H200, OpenCL": a part of file names.
std::string slug_of(const std::string& label);

/// Collects files one after the other and keeps only the data for a report: samples are dropped.
class ReportCollector {
 public:
  explicit ReportCollector(LimitsCatalogue catalogue);
  ~ReportCollector();
  ReportCollector(const ReportCollector&) = delete;
  ReportCollector& operator=(const ReportCollector&) = delete;

  void add(LoadedFile file);

  /// Analyzes and names the devices. Call it once.
  ReportData finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The latest result of each point among the rows of an experiment, without failed ones.
std::vector<const PointRow*> latest_rows(const std::vector<PointRow>& rows);

/// The run that measured a row; nullptr if the device has no run of its name.
const ReportRun* run_of(const ReportDevice& device, const PointRow& row);

}  // namespace percycle
