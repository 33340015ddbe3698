#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "limits/close_names.hpp"
#include "limits/limits.hpp"
#include "report/limits_report.hpp"
#include "report/report_json.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

struct LimitsArguments {
  std::vector<std::string> name;  ///< words of the name
  std::string file;               ///< the user's file; empty if there is none
  bool json = false;
};

template <typename Known>
void print(const Known& known, bool json) {
  // The user's file may not be UTF-8. Losing a character is better than failing.
  if (json) {
    output("{}\n", to_json(known).dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
  } else {
    output("{}", wrap_lines(to_text(known), kTableColumns));
  }
}

void print_limits(const LimitsArguments& arguments) {
  const LimitsCatalogue catalogue =
      limits_catalogue(arguments.file.empty() ? std::nullopt : std::optional<std::filesystem::path>(arguments.file));
  if (arguments.name.empty()) {
    print(catalogue, arguments.json);
    if (!arguments.json) print_next("percycle limits NAME", "the source of each figure");
    return;
  }
  const std::string name = fmt::format("{}", fmt::join(arguments.name, " "));
  const DeviceLimits known = find_limits_by_name(catalogue, name);
  const bool by_architecture =
      known.match == DeviceLimits::Match::architecture && lower_case(known.architecture) != lower_case(name);
  if (by_architecture && !arguments.json) {
    std::vector<std::string> listed;
    for (const LimitEntry& entry : catalogue)
      if (entry.device && lower_case(entry.name).find(lower_case(name)) != std::string::npos) listed.push_back(entry.name);
    output("'{}' is not listed{}; its architecture is:\n", name,
           listed.empty() ? "" : fmt::format(" (listed: {})", fmt::join(listed, ", ")));
  }
  print(known, arguments.json);
}

}  // namespace

void add_limits(CLI::App& app) {
  const auto arguments = std::make_shared<LimitsArguments>();
  CLI::App* command = app.add_subcommand("limits", "List published limits of devices, each with its source");
  command->footer("Example: percycle limits \"RTX 4090\"");
  command->add_option("NAME", arguments->name, "A device (\"RTX 4090\", or its driver's name) or an architecture; default: all");
  command->add_flag("--json", arguments->json, "Print one JSON object instead");
  command
      ->add_option("--limits", arguments->file,
                   "Your own figures, used before the built-in ones (format: src/limits/limits.toml)")
      ->type_name("FILE");
  command->callback([arguments] { print_limits(*arguments); });
}

}  // namespace percycle
