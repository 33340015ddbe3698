#include "cli/commands.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "report/comparison_text.hpp"
#include "report/report_json.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

constexpr int kExceeded = 3;

struct CompareArguments {
  std::vector<std::string> paths;
  bool json = false;
  bool markdown = false;
  bool wide = false;
  std::optional<double> fail_above_percent;
};

/// Whether a point or a cache's size of a device that was measured twice got worse by more than
/// `percent`. Throws UsageError if no device was measured twice.
bool exceeds(const RunComparison& comparison, double percent) {
  bool any_states = false;
  bool any_worse = false;
  for (const SidePair& pair : comparison.pairs) {
    if (pair.relation != SidePair::Relation::states) continue;
    any_states = true;
    any_worse |= std::any_of(pair.rows.begin(), pair.rows.end(), [&](const auto& row) {
      return row.second.verdict == ChangeVerdict::worse && std::abs(row.second.percent()) > percent;
    });
    any_worse |= std::any_of(pair.sizes.begin(), pair.sizes.end(), [&](const FindingChange& change) {
      return change.verdict == ChangeVerdict::worse && std::abs(change.percent()) > percent;
    });
  }
  if (!any_states) throw UsageError("--fail-above: no device was measured twice through the same API");
  return any_worse;
}

int compare_files(const CompareArguments& arguments) {
  std::vector<LoadedFile> files;
  load_each(arguments.paths, [&](LoadedFile&& file) {
    note_faults(file);
    files.push_back(std::move(file));
  });
  const RunComparison comparison = compare(files, limits_catalogue());
  const bool failed = arguments.fail_above_percent && exceeds(comparison, *arguments.fail_above_percent);
  if (arguments.json) {
    // A name from a driver may not be UTF-8. Losing a character is better than failing.
    output("{}\n", to_json(comparison).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  } else {
    output("{}", to_text(comparison, arguments.markdown ? TextFormat::markdown
                                     : arguments.wide   ? TextFormat::wide
                                                        : TextFormat::plain));
    if (!arguments.markdown) {
      const std::string names = file_arguments(arguments.paths);
      print_next(fmt::format("percycle report {}", names),
                 fmt::format("charts; every change: percycle compare --wide {}", names));
    }
  }
  if (failed) spdlog::error("a point or a cache's size got worse by more than {:g} %", *arguments.fail_above_percent);
  return failed ? kExceeded : 0;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Compare record files: devices, APIs, drivers");
  command->footer("Example: percycle compare old-driver.jsonl new-driver.jsonl");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz]), oldest first, or published:NAME (see `percycle list --published`)")->required();
  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON object, noise included");
  CLI::Option* markdown = command->add_flag("--markdown", arguments->markdown, "Print Markdown, every change included");
  markdown->excludes(json);
  command
      ->add_flag("--wide", arguments->wide,
                 "Print every change with all parameters; without it tables fit 120 columns and hold the largest changes of each "
                 "experiment")
      ->excludes(json)
      ->excludes(markdown);
  command
      ->add_option("--fail-above", arguments->fail_above_percent,
                   "Exit with status 3 if a device was measured twice and a point or a cache's size got significantly worse by "
                   "more than PERCENT")
      ->check(CLI::NonNegativeNumber)
      ->type_name("PERCENT");
  command->callback([arguments, &exit_status] { exit_status = compare_files(*arguments); });
}

}  // namespace percycle
