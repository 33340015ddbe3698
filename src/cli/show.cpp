#include "cli/commands.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "cli/file_faults.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "cli/record_options.hpp"
#include "core/error.hpp"
#include "report/api_differences.hpp"
#include "report/narrow_table.hpp"
#include "report/show.hpp"
#include "report/wrap.hpp"
#include "store/header_names.hpp"
#include "store/load.hpp"
#include "store/runs.hpp"
#include "store/set_aside.hpp"

namespace percycle {
namespace {

constexpr int kUnreadableFile = 2;

struct ShowArguments {
  std::vector<std::string> paths;
  std::string limits;  ///< the user's file; empty if there is none
  bool wide = false;
  PointFilter filter;
};

/// Loads every readable file. False if a file is not readable.
bool load_all(const std::vector<std::string>& paths, std::list<LoadedFile>& files) {
  bool all = true;
  for (const std::string& path : paths) {
    try {
      note_faults(files.emplace_back(load_sound(path)));
    } catch (const UsageError& error) {
      spdlog::error("{}", error.what());
      all = false;
    }
  }
  return all;
}

int show_files(const ShowArguments& arguments) {
  const LimitsCatalogue catalogue = limits_with(arguments.limits);
  std::list<LoadedFile> files;
  const bool is_whole = load_all(arguments.paths, files);
  std::vector<Run> all;
  for (const LoadedFile& file : files) {
    const auto some = runs(file);
    all.insert(all.end(), some.begin(), some.end());
  }
  if (!files.empty()) check_names(arguments.filter, all);
  std::vector<const Header*> headers;
  for (const Run& run : all) headers.push_back(run.header);
  const ShowOptions options{arguments.wide ? TableWidth::wide : TableWidth::narrow, arguments.filter, header_names(headers)};
  bool first = true;
  for (const LoadedFile& file : files) {
    const std::string text = show(file, catalogue, options);
    if (text.empty()) continue;
    output("{}{}", first ? "" : "\n", text);
    first = false;
  }
  const std::string differences = api_differences(filtered(all, arguments.filter));
  if (!differences.empty()) output("\n{}", arguments.wide ? differences : wrap_lines(differences, kTableColumns));
  if (!is_whole) return kUnreadableFile;
  const std::string names = file_arguments(arguments.paths);
  print_next(fmt::format("percycle report {}", names), fmt::format("the memory hierarchy: percycle analyze {}", names));
  return 0;
}

}  // namespace

void add_show(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand("show", "Print the measurements of record files as tables");
  command->footer("Example: percycle show card.jsonl --experiment latency --path global");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz])")->required();
  add_user_limits(*command, arguments->limits);
  command->add_flag("--wide", arguments->wide, "Print every column; without it tables fit 120 columns");
  const auto names = [&](const char* option, std::vector<std::string>& wanted, const char* value, const char* help) {
    command->add_option(option, wanted, help)
        ->type_name(value)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
  names("--experiment", arguments->filter.experiments, "EXPERIMENT", "Only points of this experiment; repeatable");
  names("--path", arguments->filter.paths, "NAME", "Only points whose parameter `path` is NAME; repeatable");
  command->callback([arguments, &exit_status] { exit_status = show_files(*arguments); });
}

}  // namespace percycle
