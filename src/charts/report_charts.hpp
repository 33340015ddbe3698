#pragma once

#include <map>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// Makes the charts of a report. Draws the last result of a point measured in several runs, and the
/// best of a search.
class ReportCharts {
 public:
  /// `data` must outlive this object.
  explicit ReportCharts(const ReportData& data);

  /// The names of the experiments, sorted.
  std::vector<std::string> experiments() const;

  /// Empty if none of its points is ok.
  std::vector<Chart> of_experiment(const std::string& experiment) const;

  /// A chart for each card with answers to the same questions through both APIs.
  std::vector<Chart> of_apis() const;

  /// The drawn rows.
  const std::vector<DeviceRows>& rows(const std::string& experiment) const;

 private:
  const ReportData& data_;
  std::map<std::string, std::vector<DeviceRows>> rows_;  ///< by experiment
};

}  // namespace percycle
