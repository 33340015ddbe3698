#include "cli/commands.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "platform/host.hpp"
#include "report/comparison_columns.hpp"
#include "report/comparison_screen.hpp"
#include "report/comparison_text.hpp"
#include "report/key_figures_text.hpp"
#include "report/report_json.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

constexpr int kExceeded = 3;
constexpr const char* kMarkdown = "markdown";
constexpr const char* kCsv = "csv";
// The first screen has these columns, the second number if the terminal has fewer.
constexpr std::size_t kScreenColumns = 100;
constexpr std::size_t kNarrowColumns = 80;

struct CompareArguments {
  std::vector<std::string> paths;
  std::vector<std::string> experiments;
  std::string format = "text";
  bool all = false;
  bool json = false;
  bool wide = false;
  std::optional<double> fail_above_percent;

  bool wants_details() const { return all || !experiments.empty(); }
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

/// Whether a measured row of the table has values of two cards.
bool has_common_row(const KeyFigures& figures) {
  return std::ranges::any_of(figures.rows, [](const KeyRow& row) {
    return row.figure != kUnitsFigure &&
           std::ranges::count_if(row.cells, [](const KeyCell& cell) { return cell.value.has_value(); }) > 1;
  });
}

void print_details(const CompareArguments& arguments, RunComparison comparison) {
  if (!arguments.experiments.empty()) keep_experiments(comparison, arguments.experiments);
  output("\n{}", to_text(comparison, arguments.format == kMarkdown ? TextFormat::markdown
                                     : arguments.wide              ? TextFormat::wide
                                                                   : TextFormat::plain));
}

void print_next_steps(const CompareArguments& arguments, bool has_details) {
  const std::string names = file_arguments(arguments.paths);
  print_next(fmt::format("percycle report {}", names),
             fmt::format("charts; {}: percycle compare --{} {}", has_details ? "every change" : "details",
                         has_details ? "all --wide" : "all", names));
}

void print_tables(const CompareArguments& arguments, const std::vector<LoadedFile>& files, RunComparison comparison,
                  const LimitsCatalogue& catalogue) {
  const ComparedCards cards = compared_cards(comparison, catalogue);
  const KeyFigures figures = key_figures(cards.columns);
  bool has_details = arguments.wants_details();
  if (!has_details && comparison.pairs.empty() && !has_common_row(figures)) {
    comparison = compare(files, catalogue);
    has_details = true;
  }
  if (arguments.format == kCsv) {
    output("{}", to_csv(figures));
    return;
  }
  const std::size_t columns = stderr_is_terminal() && terminal_columns() < kScreenColumns ? kNarrowColumns : kScreenColumns;
  if (arguments.format == kMarkdown)
    output("{}", to_markdown(figures));
  else
    output("{}", comparison_screen(comparison, cards, figures, {.columns = columns, .has_all_cards = arguments.wide}));
  if (has_details) print_details(arguments, std::move(comparison));
  if (arguments.format != kMarkdown) print_next_steps(arguments, has_details);
}

int compare_files(const CompareArguments& arguments) {
  // Never freed: the process ends after the comparison, and the samples of large files are many.
  static std::vector<LoadedFile>& files = *new std::vector<LoadedFile>;
  load_each(arguments.paths, [&](LoadedFile&& file) {
    note_faults(file);
    files.push_back(std::move(file));
  });
  const bool is_deep = arguments.json || arguments.wants_details();
  const LimitsCatalogue catalogue = limits_catalogue();
  RunComparison comparison = compare(files, catalogue, is_deep ? ComparisonDepth::all : ComparisonDepth::key_figures);
  const bool failed = arguments.fail_above_percent && exceeds(comparison, *arguments.fail_above_percent);
  // A name from a driver may not be UTF-8. Losing a character is better than failing.
  if (arguments.json)
    output("{}\n", to_json(comparison).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  else
    print_tables(arguments, files, std::move(comparison), catalogue);
  if (failed) spdlog::error("a point or a cache's size got worse by more than {:g} %", *arguments.fail_above_percent);
  return failed ? kExceeded : 0;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Compare record files: devices, APIs, drivers");
  command->footer("Example: percycle compare old-driver.jsonl new-driver.jsonl");
  command
      ->add_option("FILE", arguments->paths,
                   "Record files (*.jsonl[.gz]), oldest first, or published:NAME (see `percycle list --published`)")
      ->required();
  command->add_flag("--all", arguments->all, "Print the points of all experiments below the table of key figures");
  command->add_option("--experiment", arguments->experiments, "Print the points of these experiments below the table")
      ->type_name("NAME")
      ->allow_extra_args(false);
  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON object, noise included");
  command->add_option("--format", arguments->format, "text, markdown, or csv (the table alone)")
      ->check(CLI::IsMember({"text", kMarkdown, kCsv}))
      ->type_name("FORMAT")
      ->excludes(json);
  command
      ->add_flag("--wide", arguments->wide,
                 "Print every card, and with --all every change with all parameters; without it the table fits 100 columns")
      ->excludes(json);
  command
      ->add_option("--fail-above", arguments->fail_above_percent,
                   "Exit with status 3 if a device was measured twice and a point or a cache's size got significantly worse by "
                   "more than PERCENT")
      ->check(CLI::NonNegativeNumber)
      ->type_name("PERCENT");
  command->callback([arguments, &exit_status] { exit_status = compare_files(*arguments); });
}

}  // namespace percycle
