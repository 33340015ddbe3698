#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/chart_pictures.hpp"
#include "cli/file_faults.hpp"
#include "cli/is_named.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "cli/record_options.hpp"
#include "cli/run_order.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "html/report_files.hpp"
#include "limits/limits.hpp"
#include "report/report_choice.hpp"
#include "report/report_data.hpp"
#include "store/load.hpp"
#include "store/published.hpp"

namespace percycle {
namespace {

struct ReportArguments {
  std::vector<std::string> paths;
  std::optional<std::string> folder;  ///< empty: beside the first file, with its name
  std::string limits;                 ///< the user's file; empty if there is none
  std::vector<std::string> experiments;
  std::vector<std::string> devices;
  std::optional<std::string> pictures;  ///< folder of the charts as SVG and PNG; empty: none
};

/// "h200-report" for "h200.jsonl" and "h200.jsonl.gz".
std::string default_folder(std::filesystem::path file) {
  if (file.string().starts_with(kPublishedPrefix)) return "published-report";
  if (file.extension() == ".gz") file.replace_extension();
  return file.replace_extension().string() + "-report";
}

void report_files(const ReportArguments& arguments) {
  if (arguments.folder == "") throw UsageError("--out: the name of a folder is empty");
  std::optional<ChartPictures> pictures;
  if (arguments.pictures) pictures.emplace(*arguments.pictures);
  const LimitsCatalogue catalogue = limits_with(arguments.limits);
  ReportCollector collector(catalogue);
  RunOrder order;
  ReportChoice choice(arguments.experiments, arguments.devices);
  load_each(in_time_order(arguments.paths), [&](LoadedFile&& file) {
    note_faults(file);
    order.add(file);
    choice.keep(file);
    collector.add(std::move(file));
  });
  choice.check();
  const ReportData data = collector.finish();
  if (data.points == 0) throw UsageError("these files hold no finished point, so there is nothing to report");
  const std::string folder = arguments.folder.value_or(default_folder(arguments.paths.front()));
  const std::vector<std::string> charts = write_report(data, folder);
  output("{}/report.html: {} of {} from {}\n", folder, counted(data.points, "point"), counted(data.devices.size(), "device"),
         counted(data.files, "file"));
  if (pictures) {
    pictures->draw(folder, charts);
    output("{}: {} as SVG and PNG\n", *arguments.pictures, counted(charts.size(), "chart"));
  }
  print_next(fmt::format("open {}/report.html in a browser", folder));
}

}  // namespace

void add_report(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Make a report with charts and tables from record files");
  command->footer("Example: percycle report card.jsonl -o card-report");
  add_files_or_cards(*command, arguments->paths);
  command
      ->add_option("-o,--out", arguments->folder,
                   "Folder of the report; an earlier report in it is replaced; default: FILE-report beside the first FILE")
      ->type_name("DIR");
  command->add_option("--experiment", arguments->experiments, "Show only this experiment; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--device", arguments->devices, "Show only devices with this part of a name; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      ->add_option("--charts", arguments->pictures,
                   "Also draw each chart as SVG and PNG (with tools/render-charts, found in PATH)")
      ->check(is_named)
      ->type_name("DIR");
  add_user_limits(*command, arguments->limits);
  command->callback([arguments, &exit_status] {
    report_files(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle
