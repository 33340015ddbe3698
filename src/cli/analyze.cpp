#include "cli/commands.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "cli/run_order.hpp"
#include "core/error.hpp"
#include "report/device_analysis.hpp"
#include "report/report_json.hpp"
#include "report/wrap.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

struct AnalyzeArguments {
  std::vector<std::string> paths;
  bool json = false;
};

bool has_published(const LoadedFile& file) {
  return std::any_of(file.headers.begin(), file.headers.end(), [](const Header& header) { return header.published(); });
}

void analyze_files(const AnalyzeArguments& arguments) {
  std::vector<LoadedFile> files;
  RunOrder order;
  load_each(in_time_order(arguments.paths), [&](LoadedFile&& file) {
    note_faults(file);
    order.add(file);
    if (has_published(file)) {
      spdlog::warn("{}: published figures are not a run, so percycle skips them", file.path.string());
    }
    files.push_back(std::move(file));
  });
  const auto analyses = analyze(std::move(files));
  if (analyses.empty()) throw UsageError("these files hold no run, so there is nothing to analyze");
  bool first = true;
  for (const auto& analysis : analyses) {
    if (arguments.json) {
      // A name from a driver may not be UTF-8. Losing a character is better than failing.
      output("{}\n", to_json(analysis).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
      continue;
    }
    output("{}{}", first ? "" : "\n", wrap_lines(to_text(analysis), kTableColumns));
    first = false;
  }
  if (!arguments.json)
    print_next(fmt::format("percycle report {}", file_arguments(arguments.paths)), "the curves behind these levels");
}

}  // namespace

void add_analyze(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<AnalyzeArguments>();
  CLI::App* command = app.add_subcommand("analyze", "Find the memory hierarchy behind the measurements of record files");
  command->footer("Example: percycle analyze card.jsonl");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz]); runs of one device through one API count together")
      ->required();
  command->add_flag("--json", arguments->json, "Print one JSON object per device and API, each on its own line");
  command->callback([arguments, &exit_status] {
    analyze_files(*arguments);
    exit_status = 0;
  });
}

}  // namespace percycle
