#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "cli/run_order.hpp"
#include "core/error.hpp"
#include "limits/limits.hpp"
#include "report/report_data.hpp"
#include "report/report_json.hpp"
#include "report/run_summary.hpp"
#include "store/load.hpp"

namespace percycle {

void add_summary(CLI::App& app, int& exit_status) {
  const auto paths = std::make_shared<std::vector<std::string>>();
  const auto limits = std::make_shared<std::optional<std::string>>();
  CLI::App* command = app.add_subcommand("summary", "Print record files on one screen, as a run does at its end");
  command->footer("Example: percycle summary card.jsonl");
  command->add_option("FILE", *paths, "Record files (*.jsonl[.gz])")->required();
  command->add_option("--limits", *limits, "Your own limits, used before the built-in ones (see `percycle limits`)")
      ->type_name("FILE");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print the table as one JSON object");
  command->callback([paths, limits, json, &exit_status] {
    ReportCollector collector(limits_catalogue(*limits));
    RunOrder order;
    load_each(in_time_order(*paths), [&](LoadedFile&& file) {
      note_faults(file);
      order.add(file);
      collector.add(std::move(file));
    });
    const ReportData data = collector.finish();
    const RunSummary summary = run_summary(data);
    if (summary.devices.empty()) throw UsageError("these files hold no run, so there is nothing to sum up");
    if (*json) {
      output("{}\n", to_line(to_json(summary)));
    } else {
      write_output(to_text(summary));
      const std::string files = file_arguments(*paths);
      print_next(fmt::format("percycle report {}", files), fmt::format("every number: percycle show {}", files));
    }
    exit_status = 0;
  });
}

}  // namespace percycle
