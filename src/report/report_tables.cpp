#include "report/report_tables.hpp"

#include "platform/all_cores.hpp"

namespace percycle {
namespace {

ExperimentTables experiment_tables(const std::string& experiment, const std::vector<PointRow>& rows) {
  std::vector<const PointRow*> all;
  all.reserve(rows.size());
  for (const PointRow& row : rows) all.push_back(&row);
  ExperimentTables tables{.all = point_table(experiment, all), .answers = {}};
  const std::vector<const PointRow*> best = best_rows(all);
  if (best.size() < all.size()) tables.answers = point_table(experiment, best);
  return tables;
}

}  // namespace

std::vector<DeviceTables> report_tables(const ReportData& data) {
  std::vector<DeviceTables> tables(data.devices.size());
  on_all_cores(tables.size(), [&](std::size_t i) {
    const ReportDevice& device = data.devices[i];
    for (const auto& [experiment, rows] : device.experiments)
      tables[i].experiments.emplace(experiment, experiment_tables(experiment, rows));
    tables[i].efficiency = efficiency_table(device, *tables[i].texts);
  });
  return tables;
}

}  // namespace percycle
