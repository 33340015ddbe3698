#include "cli/command_spec.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

namespace percycle {
namespace {

/// {"opencl", "vulkan"} for "TEXT:{opencl,vulkan}".
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

OptionSpec option_spec(const CLI::Option& option, const std::vector<std::string>& experiments) {
  OptionSpec spec;
  for (const std::string& name : option.get_snames()) spec.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) spec.names.push_back("--" + name);
  spec.help = option.get_description();
  spec.required = option.get_required();
  spec.repeatable = option.get_items_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return spec;
  const std::string type = option.get_type_name();
  spec.value = type.substr(0, type.find(':'));
  spec.choices = spec.value == "EXPERIMENT" ? experiments : choices_of(type);
  if (spec.names.empty() && spec.value == "TEXT") spec.value = option.get_name(true);
  return spec;
}

CommandSpec command_spec(const CLI::App& app, const std::vector<std::string>& experiments) {
  CommandSpec spec{
      .name = app.get_name(), .help = app.get_description(), .options = {}, .positionals = {}, .example = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    OptionSpec each = option_spec(*option, experiments);
    (each.names.empty() ? spec.positionals : spec.options).push_back(std::move(each));
  }
  return spec;
}

}  // namespace

bool OptionSpec::takes_path() const {
  constexpr std::array<std::string_view, 3> kPaths{"FILE", "DIR", "OUT"};
  return std::find(kPaths.begin(), kPaths.end(), value) != kPaths.end();
}

std::vector<CommandSpec> command_specs(const CLI::App& app, const std::vector<std::string>& experiments) {
  std::vector<CommandSpec> specs{command_spec(app, experiments)};
  specs.front().name.clear();
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    specs.push_back(command_spec(*command, experiments));
  return specs;
}

}  // namespace percycle
