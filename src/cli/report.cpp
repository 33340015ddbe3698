#include "cli/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/partial_line.hpp"
#include "core/error.hpp"
#include "html/page.hpp"
#include "limits/limits.hpp"
#include "report/efficiency.hpp"
#include "report/point_table.hpp"
#include "report/report_data.hpp"
#include "report/report_json.hpp"
#include "report/table_files.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct ReportArguments {
  std::vector<std::string> paths;
  std::string folder;
  std::string limits;  ///< the user's own file; empty where there is none
};

/// Calls `take` with each file in their order, while the next ones are being read: checking lines takes the time.
void load_all(const std::vector<std::string>& paths, const std::function<void(LoadedFile&&)>& take) {
  const std::size_t ahead = std::max(1u, std::thread::hardware_concurrency());
  std::deque<std::future<LoadedFile>> under_way;
  auto next = paths.begin();
  while (next != paths.end() || !under_way.empty()) {
    while (next != paths.end() && under_way.size() < ahead) {
      under_way.push_back(std::async(std::launch::async, [path = *next++] { return load(path); }));
    }
    LoadedFile file = under_way.front().get();
    under_way.pop_front();
    note_partial_line(file);
    take(std::move(file));
  }
}

/// A folder that files are written to.
class Output {
 public:
  explicit Output(std::filesystem::path folder) : folder_(std::move(folder)) {
    for (const char* part : {"tables", "charts"}) {
      std::error_code error;
      std::filesystem::create_directories(folder_ / part, error);
      if (error) throw RunError(fmt::format("cannot make {}: {}", (folder_ / part).string(), error.message()));
    }
  }

  /// Replaces a file of that name.
  void write(const std::string& name, const std::function<void(std::ostream&)>& content) {
    const std::filesystem::path path = folder_ / name;
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (file) content(file);
    file.close();
    if (!file) throw RunError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  }
  void write(const std::string& name, const std::string& text) {
    write(name, [&](std::ostream& out) { out << text; });
  }

 private:
  std::filesystem::path folder_;
};

void write_table(Output& output, const std::string& name, const PointTable& all, const PointTable& best) {
  output.write(name + ".csv", to_csv(all));
  output.write(name + ".md", to_markdown(best));
}

void write_tables(Output& output, const ReportDevice& device, Texts& texts) {
  for (const auto& [experiment, rows] : device.experiments) {
    std::vector<const PointRow*> all;
    for (const PointRow& row : rows) all.push_back(&row);
    write_table(output, fmt::format("tables/{}-{}", device.slug, experiment), point_table(experiment, all),
                point_table(experiment, best_rows(all)));
  }
  const EfficiencyTable efficiency = efficiency_table(device, texts);
  if (!efficiency.rows.empty()) {
    write_table(output, fmt::format("tables/{}-efficiency", device.slug), efficiency.table, efficiency.table);
  }
}

void report_files(const ReportArguments& arguments) {
  const LimitsCatalogue catalogue =
      limits_catalogue(arguments.limits.empty() ? std::nullopt : std::optional<std::filesystem::path>(arguments.limits));
  ReportCollector collector(catalogue);
  load_all(arguments.paths, [&](LoadedFile&& file) { collector.add(std::move(file)); });
  const ReportData data = collector.finish();
  if (data.points == 0) throw UsageError("no finished point in these files: nothing to report");

  Output output(arguments.folder);
  for (const ReportDevice& device : data.devices) write_tables(output, device, *data.texts);
  output.write("report.json", [&](std::ostream& out) { write_json(out, data); });
  const ReportPage page = report_page(data);
  for (const ChartFile& chart : page.charts) output.write("charts/" + chart.name + ".vl.json", chart.specification);
  output.write("report.html", page.html);
  fmt::print("{}/report.html: {} points of {} devices from {} files\n", arguments.folder, data.points, data.devices.size(),
             data.files);
}

}  // namespace

void add_report(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Make a report with charts and tables of record files");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl), measured, simulated or published")->required();
  command->add_option("-o,--out", arguments->folder, "Folder to write to; files of the same names are replaced")->required();
  command->add_option("--limits", arguments->limits,
                      "Your own limits of bandwidth, which go before the built-in ones (see `percycle limits`)");
  command->callback([arguments, &exit_status] {
    report_files(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle
