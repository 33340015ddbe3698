#include "cli/record_options.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

namespace percycle {

void add_files_or_cards(CLI::App& command, std::vector<std::string>& paths) {
  command.add_option("FILE", paths, "Record files (*.jsonl[.gz]), or published:NAME (see `percycle list --published`)")
      ->required();
}

void add_user_limits(CLI::App& command, std::string& file) {
  command.add_option("--limits", file, "Your own limits, used before the built-in ones (see `percycle limits`)")
      ->type_name("FILE");
}

LimitsCatalogue limits_with(const std::string& file) {
  return limits_catalogue(file.empty() ? std::nullopt : std::optional<std::filesystem::path>(file));
}

}  // namespace percycle
