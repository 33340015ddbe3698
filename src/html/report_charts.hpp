#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "charts/chart.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// How much is drawn; what is left out is in the CSV files.
struct DrawingLimits {
  std::size_t series_points = 300;  ///< of one line
  std::size_t cells = 4000;         ///< of one heatmap
  std::size_t pairs = 600;          ///< of one card's comparison of APIs
  std::size_t charts = 64;          ///< of one section; the others are files only
};

/// Makes the charts of a report. Of a point measured in several runs of a device the last is drawn, of a search the best.
class ReportCharts {
 public:
  using DeviceRows = std::pair<const ReportDevice*, std::vector<const PointRow*>>;

  /// The data must outlive it.
  explicit ReportCharts(const ReportData& data);

  /// The names of the experiments, in the order of their names.
  std::vector<std::string> experiments() const;

  /// Empty where no point of it ended well.
  std::vector<Chart> of_experiment(const std::string& experiment, const DrawingLimits& limits) const;

  /// Clocks and power over the time that measuring took.
  std::vector<Chart> of_clocks(const DrawingLimits& limits) const;

  /// A chart for each card that answered the same questions through both APIs.
  std::vector<Chart> of_apis(const DrawingLimits& limits) const;

  /// The rows that are drawn.
  const std::vector<DeviceRows>& rows(const std::string& experiment) const;

 private:
  const ReportData& data_;
  std::map<std::string, std::vector<DeviceRows>> rows_;  ///< by experiment
};

}  // namespace percycle
