#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "report/report_json.hpp"
#include "report/tally.hpp"
#include "site/site_check.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

constexpr int kFaulty = 1;
constexpr int kBadInput = 2;
constexpr const char* kRecordSchema = "record";

struct ValidateArguments {
  std::vector<std::string> paths;
  std::string schema;  ///< the name of an output, or kRecordSchema; empty: none
  bool for_site = false;
};

/// "3 headers (1 simulated, 1 published)"
std::string headers_of(const LoadedFile& file) {
  const auto count_of = [&](auto is) { return std::count_if(file.headers.begin(), file.headers.end(), is); };
  std::vector<std::string> others;
  if (const auto simulated = count_of([](const Header& header) { return header.simulated(); }); simulated > 0)
    others.push_back(fmt::format("{} simulated", simulated));
  if (const auto published = count_of([](const Header& header) { return header.published(); }); published > 0)
    others.push_back(fmt::format("{} published", published));
  return fmt::format("{} header{}{}", file.headers.size(), file.headers.size() == 1 ? "" : "s",
                     others.empty() ? "" : fmt::format(" ({})", fmt::join(others, ", ")));
}

/// "1 header, 123 points: 120 ok, 3 unsupported, ..."
std::string contents(const LoadedFile& file) {
  Tally tally;
  for (const Run& run : runs(file)) count(tally, run);
  const std::size_t points = tally.finished() + tally.unfinished;
  return fmt::format("{}, {} point{}: {}", headers_of(file), points, points == 1 ? "" : "s", to_string(tally));
}

/// Prints a line for everything that a sound file lacks for a site.
int check_for_site(const LoadedFile& file) {
  const std::vector<std::string> missing = missing_for_site(file);
  for (const std::string& sentence : missing) spdlog::error("{}: {}", file.path.string(), sentence);
  return missing.empty() ? 0 : kFaulty;
}

/// Prints a line for the file or for each of its faults. Adds a partial file that --resume can
/// continue: one with a header.
int validate_file(const std::string& path, bool for_site, std::vector<std::string>& resumable) {
  try {
    const LoadedFile file = load(path);
    for (const Impossible& fault : file.impossible) spdlog::error("{}:{}: impossible: {}", path, fault.line, fault.sentence);
    if (file.truncated && !file.truncated->damage.empty()) {
      spdlog::error("{}:{}: the compressed data {}; before it: {}", path, file.truncated->line, file.truncated->damage,
                    contents(file));
      return kFaulty;
    }
    if (file.truncated) {
      spdlog::error("{}:{}: the last line is partial ({} bytes), as a crash leaves it; before it: {}", path, file.truncated->line,
                    file.truncated->bytes, contents(file));
      if (!file.headers.empty()) resumable.push_back(path);
      return kFaulty;
    }
    if (!file.impossible.empty()) return kFaulty;
    if (for_site && check_for_site(file) != 0) return kFaulty;
    output("{}: {} ({})\n", path, for_site ? "complete for a site" : "ok", contents(file));
    return 0;
  } catch (const UsageError& error) {
    spdlog::error("{}", error.what());
    return kBadInput;
  }
}

/// The next step after all files were checked.
void print_next_step(const ValidateArguments& arguments, const std::vector<std::string>& resumable, int status) {
  if (status == kFaulty && !resumable.empty())
    print_next(fmt::format("percycle run --resume {} --retry", file_arguments({resumable.front()})));
  if (status != 0 || !arguments.schema.empty()) return;
  const std::string files = file_arguments(arguments.paths);
  print_next(fmt::format("percycle show {}", files), fmt::format("to send it: percycle share {} -o OUT", files));
}

int validate(const ValidateArguments& arguments) {
  if (arguments.schema == kRecordSchema) {
    output("{}", record_schema());
  } else if (!arguments.schema.empty()) {
    output("{}", output_schema(arguments.schema));
  }
  int status = 0;
  std::vector<std::string> resumable;
  for (const std::string& path : arguments.paths) status = std::max(status, validate_file(path, arguments.for_site, resumable));
  print_next_step(arguments, resumable, status);
  return status;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_status) {
  const auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* command = app.add_subcommand("validate", "Check record files against the published schema");
  command->footer("Example: percycle validate card.jsonl");
  CLI::Option* files = command->add_option("FILE", arguments->paths, "Record files (*.jsonl[.gz])");
  CLI::Option* for_site =
      command->add_flag("--for-site", arguments->for_site, "Also name everything that a file lacks for `percycle site`");
  std::vector<std::string> schemas{kRecordSchema};
  schemas.insert(schemas.end(), output_names().begin(), output_names().end());
  command
      ->add_option("--schema", arguments->schema,
                   fmt::format("Print the JSON Schema of a record line, or of the JSON that a command writes: {}",
                               fmt::join(output_names(), ", ")))
      ->expected(0, 1)
      ->default_str(kRecordSchema)
      ->check(CLI::IsMember(schemas))
      ->excludes(files)
      ->excludes(for_site);
  command->require_option(1, 0);
  command->callback([arguments, &exit_status] { exit_status = validate(*arguments); });
}

}  // namespace percycle
