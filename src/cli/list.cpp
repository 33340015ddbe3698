#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/named_experiments.hpp"
#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "cli/published_list.hpp"
#include "experiments/experiment.hpp"
#include "report/wrap.hpp"
#include "sim/model.hpp"

namespace percycle {
namespace {

std::string_view type_name(ParameterSpec::Type type) {
  switch (type) {
    case ParameterSpec::Type::word:
      return "word";
    case ParameterSpec::Type::words:
      return "words";
    case ParameterSpec::Type::bytes:
      return "bytes";
    case ParameterSpec::Type::number:
      return "number";
  }
  return "";
}

/// One line for each experiment.
void print_overview() {
  std::string text;
  for (const auto* experiment : all_experiments())
    text += fmt::format("{:<22}{}\n", experiment->name(), presentation_of(experiment->name()).metric);
  text += fmt::format("simulated devices (run --device sim:NAME): {}\n", fmt::join(sim::shipped_models(), ", "));
  output("{}", wrap_lines(text, kTableColumns));
  print_next("percycle list EXPERIMENT", "its question and its parameters; published figures: percycle list --published");
}

void print_experiment(const Experiment& experiment) {
  const Presentation& about = presentation_of(experiment.name());
  std::string text = fmt::format("{}: {}\n  {}\n", experiment.name(), about.metric, about.question);
  for (const auto& spec : experiment.parameters()) {
    text +=
        fmt::format("  --set {}={}\n      {}{}\n", spec.name, spec.default_value, spec.help,
                    spec.choices.empty() ? "" : fmt::format(" ({}: {})", type_name(spec.type), fmt::join(spec.choices, ", ")));
  }
  output("{}", wrap_lines(text, kTableColumns));
}

void print_text(const std::vector<std::string>& names) {
  if (names.empty()) return print_overview();
  for (const Experiment* experiment : named_experiments(names)) print_experiment(*experiment);
  print_next(fmt::format("percycle run {}", fmt::join(names, " ")), "its page: percycle help EXPERIMENT");
}

void print_json() {
  auto experiments = nlohmann::json::array();
  for (const auto* experiment : all_experiments()) {
    auto parameters = nlohmann::json::array();
    for (const auto& spec : experiment->parameters()) {
      nlohmann::json parameter{
          {"name", spec.name}, {"type", type_name(spec.type)}, {"default", spec.default_value}, {"help", spec.help}};
      if (!spec.choices.empty()) parameter["choices"] = spec.choices;
      parameters.push_back(std::move(parameter));
    }
    const Presentation& about = presentation_of(experiment->name());
    experiments.push_back({{"name", experiment->name()},
                           {"title", about.title},
                           {"question", about.question},
                           {"method", about.method},
                           {"metric", about.metric},
                           {"operation", about.operation},
                           {"parameters", std::move(parameters)}});
  }
  output("{}\n", nlohmann::json{{"experiments", std::move(experiments)}, {"simulated", sim::shipped_models()}}.dump(2));
}

}  // namespace

void add_list(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  auto published = std::make_shared<bool>(false);
  auto names = std::make_shared<std::vector<std::string>>();
  auto* command = app.add_subcommand("list", "List experiments, their parameters, and simulated devices");
  command->footer("Example: percycle list latency");
  CLI::Option* chosen =
      command->add_option("experiments", *names, "Print the question and the parameters of these; default: one line each")
          ->type_name("EXPERIMENT");
  command->add_flag("--json", *json, "Print JSON with everything")->excludes(chosen);
  command->add_flag("--published", *published, "Print the cards whose published figures `published:NAME` stands for")
      ->excludes(chosen);
  command->callback([json, published, names] {
    if (*published) return *json ? print_published_json() : print_published();
    *json ? print_json() : print_text(*names);
  });
}

}  // namespace percycle
