#include "cli/show.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "report/show.hpp"
#include "store/load.hpp"

namespace percycle {
namespace {

constexpr int kBadInput = 2;

int show_files(const std::vector<std::string>& paths) {
  int status = 0;
  bool first = true;
  for (const std::string& path : paths) {
    try {
      const LoadedFile file = load(path);
      if (file.truncated) {
        fmt::print(stderr, "percycle: {}:{}: partial last line ({} bytes), as a crash leaves it, ignored\n", path,
                   file.truncated->line, file.truncated->bytes);
      }
      const std::string text = show(file);
      if (!first && !text.empty()) fmt::print("\n");
      fmt::print("{}", text);
      first = false;
    } catch (const UsageError& error) {
      fmt::print(stderr, "percycle: {}\n", error.what());
      status = kBadInput;
    }
  }
  return status;
}

}  // namespace

void add_show(CLI::App& app, int& exit_status) {
  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("show", "Print the measurements of record files as tables");
  command->add_option("FILE", *paths, "Record files (*.jsonl)")->required();
  command->callback([paths, &exit_status] { exit_status = show_files(*paths); });
}

}  // namespace percycle
