#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "experiments/experiment.hpp"
#include "limits/limits.hpp"
#include "report/ceilings.hpp"
#include "report/report_data.hpp"
#include "report/report_json.hpp"
#include "report/wrap.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct CeilingsArguments {
  std::vector<std::string> paths;
  std::optional<std::string> limits;
  bool json = false;
};

/// The entries of experiments that have ceilings, of programs and of curves by intensity: others
/// would only cost time.
void keep_ceilings(LoadedFile& file) {
  std::erase_if(file.entries, [](const Entry& entry) {
    const auto* point = std::get_if<PointRecord>(&entry);
    if (!point) return true;
    const Presentation& about = presentation_of(point->result.point.experiment);
    return about.ceilings.empty() && about.programs.empty() && about.intensity.parameter.empty();
  });
}

std::vector<std::string> experiments_with_ceilings() {
  std::vector<std::string> names;
  for (const Experiment* experiment : all_experiments()) {
    if (!presentation_of(experiment->name()).ceilings.empty()) names.push_back(experiment->name());
  }
  return names;
}

void print_ceilings(const CeilingsArguments& arguments) {
  ReportCollector collector(limits_catalogue(arguments.limits));
  RunOrder order;
  load_each(in_time_order(arguments.paths), [&](LoadedFile&& file) {
    note_faults(file);
    order.add(file);
    keep_ceilings(file);
    collector.add(std::move(file));
  });
  const ReportData data = collector.finish();
  const MeasuredCeilings ceilings = measured_ceilings(data);
  if (ceilings.devices.empty())
    throw UsageError(fmt::format("these files have no ceilings: only measured points of these experiments give them: {}",
                                 fmt::join(experiments_with_ceilings(), ", ")));
  if (arguments.json) {
    // A name from a driver may not be UTF-8. Losing a character is better than failing.
    output("{}\n", to_json(ceilings).dump(1, ' ', true, nlohmann::json::error_handler_t::replace));
    return;
  }
  output("{}", wrap_lines(to_text(ceilings), kTableColumns));
  const std::string files = file_arguments(arguments.paths);
  print_next(fmt::format("percycle report {}", files),
             fmt::format("the roofline chart; for programs: percycle ceilings --json {}", files));
}

}  // namespace

void add_ceilings(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<CeilingsArguments>();
  CLI::App* command = app.add_subcommand("ceilings", "List a device's measured ceilings and the shares of programs");
  command->footer("Example: percycle ceilings --json card.jsonl > ceilings.json");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz])")->required();
  command->add_flag("--json", arguments->json, "Print one JSON object for profilers and autotuners");
  command->add_option("--limits", arguments->limits, "Your own limits, used before the built-in ones (see `percycle limits`)")
      ->type_name("FILE");
  command->callback([arguments, &exit_status] {
    print_ceilings(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle
