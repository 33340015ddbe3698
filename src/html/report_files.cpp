#include "html/report_files.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "html/page.hpp"
#include "html/report_folder.hpp"
#include "report/efficiency_across.hpp"
#include "report/markdown_table.hpp"
#include "report/report_json.hpp"
#include "report/report_tables.hpp"
#include "report/table_files.hpp"

namespace percycle {
namespace {

void write_tables(ReportFolder& folder, const ReportDevice& device, const DeviceTables& tables) {
  const auto write_table = [&](const std::string& name, const PointTable& points, const PointTable& answers) {
    const std::string path = fmt::format("tables/{}-{}", device.slug, name);
    folder.write(path + ".csv", to_csv(points));
    folder.write(path + ".md", to_markdown(answers));
  };
  for (const auto& [experiment, table] : tables.experiments) write_table(experiment, table.points, table.best());
  const PointTable& efficiency = tables.efficiency.table;
  if (!efficiency.lines.empty()) write_table("efficiency", efficiency, efficiency);
}

}  // namespace

std::vector<std::string> write_report(const ReportData& data, const std::filesystem::path& folder) {
  const std::vector<DeviceTables> tables = report_tables(data);
  ReportFolder files(folder);
  files.write("report.json", [&](std::ostream& out) { write_json(out, data, tables); });
  for (std::size_t i = 0; i < data.devices.size(); ++i) write_tables(files, data.devices[i], tables[i]);
  const ReportPage page = report_page(data, tables);
  std::vector<std::string> names;
  for (const ChartFile& chart : page.charts) {
    files.write(fmt::format("{}/{}{}", kChartFolder, chart.name, kChartFile), chart.specification);
    names.push_back(chart.name);
  }
  if (!page.efficiency.rows.empty()) {
    files.write(kEfficiencyFile + std::string(".csv"), to_csv(page.efficiency));
    files.write(kEfficiencyFile + std::string(".md"), markdown_table(page.efficiency));
  }
  files.write("report.html", page.html);  // last: if it exists, the rest does
  files.finish();
  return names;
}

}  // namespace percycle
