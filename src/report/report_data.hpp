#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/source.hpp"
#include "limits/limits.hpp"
#include "report/device_analysis.hpp"
#include "report/point_row.hpp"
#include "report/tally.hpp"
#include "store/load.hpp"

namespace percycle {

/// One run of a device, or what one place of a document says of it.
struct ReportRun {
  Header header;
  std::string name;  ///< "2026-11-21T09:30:00Z", with the id where others began at the same time; "table 4.2"
};

/// Something that was read while a point was measured.
struct ClockReading {
  double seconds = 0;  ///< of measuring, run after run, since the device's first point
  std::optional<double> clock_mhz{};
  std::optional<double> power_w{};
  bool from_telemetry = false;  ///< else from the kernel's counter
};

/// All that the files say of one device through one API, or of one device in one document.
struct ReportDevice {
  Source source = Source::measured;
  std::string label;  ///< names it in charts, no two alike: "NVIDIA H200, OpenCL"
  std::string slug;   ///< names its files, no two alike: "nvidia-h200-opencl"
  std::string unit_name;
  std::deque<ReportRun> runs;
  std::map<std::string, std::vector<PointRow>> experiments;  ///< every finished point of all runs, run after run
  std::vector<ClockReading> clocks;
  double seconds = 0;  ///< that measuring took, as far as records say
  Tally tally;
  std::optional<DeviceAnalysis> analysis;  ///< of measured and simulated devices

  const Header& header() const { return runs.back().header; }
};

/// What a report is made of.
struct ReportData {
  std::vector<ReportDevice> devices;  ///< in the order in which they first appear
  std::size_t files = 0;
  std::size_t points = 0;  ///< finished
};

/// Collects files one after the other, keeping of each what a report shows: samples are dropped.
class ReportCollector {
 public:
  explicit ReportCollector(LimitsCatalogue catalogue);
  ~ReportCollector();
  ReportCollector(const ReportCollector&) = delete;
  ReportCollector& operator=(const ReportCollector&) = delete;

  void add(LoadedFile file);

  /// Analyzes the devices and names them; called once.
  ReportData finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The latest result of each point, of the rows of an experiment; those that did not end well are left out.
std::vector<const PointRow*> latest_rows(const std::vector<PointRow>& rows);

}  // namespace percycle
