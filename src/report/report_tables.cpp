#include "report/report_tables.hpp"

namespace percycle {
namespace {

ExperimentTables experiment_tables(const std::string& experiment, const std::vector<PointRow>& rows) {
  std::vector<const PointRow*> pointers;
  pointers.reserve(rows.size());
  for (const PointRow& row : rows) pointers.push_back(&row);
  ExperimentTables tables{.points = point_table(experiment, pointers), .answers = {}};
  const std::vector<const PointRow*> best = best_rows(pointers);
  if (best.size() < pointers.size()) tables.answers = point_table(experiment, best);
  return tables;
}

}  // namespace

std::vector<DeviceTables> report_tables(const ReportData& data) {
  std::vector<DeviceTables> tables;
  for (const ReportDevice& device : data.devices) {
    DeviceTables& table = tables.emplace_back();
    for (const auto& [experiment, rows] : device.experiments)
      table.experiments.emplace(experiment, experiment_tables(experiment, rows));
    table.efficiency = efficiency_table(device);
  }
  return tables;
}

}  // namespace percycle
