#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/efficiency.hpp"
#include "report/point_table.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// The points of one experiment and device.
struct ExperimentTables {
  PointTable points;                  ///< all points
  std::optional<PointTable> answers;  ///< best_rows() of them, if those are fewer

  const PointTable& best() const { return answers ? *answers : points; }
};

/// The tables of one device. Their lines point to the rows of its ReportDevice.
struct DeviceTables {
  std::map<std::string, ExperimentTables> experiments;
  EfficiencyTable efficiency;
};

/// The tables of all devices, in the order of the devices.
std::vector<DeviceTables> report_tables(const ReportData& data);

}  // namespace percycle
