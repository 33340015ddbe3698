#include "cli/show.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/partial_line.hpp"
#include "core/error.hpp"
#include "limits/limits.hpp"
#include "report/api_differences.hpp"
#include "report/show.hpp"
#include "store/load.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

constexpr int kUnreadableFile = 2;

struct ShowArguments {
  std::vector<std::string> paths;
  std::string limits;  ///< the user's own file; empty where there is none
};

int show_files(const ShowArguments& arguments) {
  const LimitsCatalogue catalogue =
      limits_catalogue(arguments.limits.empty() ? std::nullopt : std::optional<std::filesystem::path>(arguments.limits));
  int status = 0;
  bool first = true;
  std::list<LoadedFile> files;
  std::vector<Run> all;
  for (const std::string& path : arguments.paths) {
    try {
      const LoadedFile& file = files.emplace_back(load(path));
      note_partial_line(file);
      const std::string text = show(file, catalogue);
      if (!first && !text.empty()) output("\n");
      output("{}", text);
      first = false;
      const auto some = runs(file);
      all.insert(all.end(), some.begin(), some.end());
    } catch (const UsageError& error) {
      note("{}", error.what());
      status = kUnreadableFile;
    }
  }
  if (const std::string differences = api_differences(all); !differences.empty()) output("\n{}", differences);
  return status;
}

}  // namespace

void add_show(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand("show", "Print the measurements of record files as tables");
  command->add_option("FILE", arguments->paths, "Record files (*.jsonl)")->required();
  command->add_option("--limits", arguments->limits, "Your own limits, used before the built-in ones (see `percycle limits`)");
  command->callback([arguments, &exit_status] { exit_status = show_files(*arguments); });
}

}  // namespace percycle
