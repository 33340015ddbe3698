#include "cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command_spec.hpp"
#include "cli/completions.hpp"
#include "cli/doc_file.hpp"
#include "cli/doc_tables.hpp"
#include "cli/help_topic.hpp"
#include "cli/man_page.hpp"
#include "cli/output.hpp"
#include "cli/plain_page.hpp"
#include "core/version.hpp"
#include "experiments/experiment.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr std::size_t kPageColumns = 100;  // of tables in pages, as of their texts

struct HelpArguments {
  std::string topic;
  std::string completion;
  bool man = false;
};

std::vector<DocPage> doc_pages() {
  std::vector<DocPage> pages;
  for (const std::string_view file : doc_file_names())
    pages.push_back({std::string(file.substr(0, file.rfind(".md"))), doc_file(file)});
  return pages;
}

std::vector<CommandSpec> specs_of(const CLI::App& app) {
  std::vector<std::string> experiments;
  for (const auto* experiment : all_experiments()) experiments.push_back(experiment->name());
  return command_specs(app, experiments);
}

void print_help(const CLI::App& app, const HelpArguments& arguments) {
  if (arguments.man) {
    write_output(man_page(specs_of(app), tool_version(), tool_date()));
  } else if (!arguments.completion.empty()) {
    const auto make = arguments.completion == "bash"  ? bash_completion
                      : arguments.completion == "zsh" ? zsh_completion
                                                      : fish_completion;
    write_output(make(specs_of(app)));
  } else if (!arguments.topic.empty()) {
    write_output(fit_doc_tables(plain_page(help_topic(doc_pages(), arguments.topic)), kPageColumns));
  } else {
    std::vector<std::string> experiments;
    for (const auto* experiment : all_experiments()) experiments.push_back(experiment->name());
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      commands.push_back(command->get_name());
    output("{}",
           wrap_lines(fmt::format("percycle help TOPIC prints one of these.\n\nPages:\n{}\nCommands: {}\n\nExperiments: {}\n\n"
                                  "The manual page: percycle help --man\n"
                                  "Completions: percycle help --completion bash (or zsh, fish)\n",
                                  topic_list(doc_pages()), fmt::join(commands, ", "), fmt::join(experiments, ", ")),
                      kPageColumns));
  }
}

/// Formats the help of the program itself: one line per command.
class RootHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::string text = fmt::format("{}\nUsage: percycle COMMAND [OPTIONS]   (or --help, --version)\n\n", app->get_description());
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
      text += fmt::format("  {:<10}{}\n", command->get_name(), command->get_description());
    return text + "\npercycle COMMAND --help lists options; percycle help prints documentation.\n";
  }
};

}  // namespace

void add_help(CLI::App& app) {
  const auto arguments = std::make_shared<HelpArguments>();
  CLI::App* command = app.add_subcommand("help", "Print a page of the documentation");
  command->footer("Example: percycle help faq");
  CLI::Option* topic = command->add_option("TOPIC", arguments->topic, "A page, a command or an experiment; default: list pages");
  CLI::Option* man = command->add_flag("--man", arguments->man, "Print the manual page, in roff")->excludes(topic);
  command->add_option("--completion", arguments->completion, "Print the completions of a shell")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("SHELL")
      ->excludes(topic)
      ->excludes(man);
  command->callback([&app, arguments] { print_help(app, *arguments); });
}

void set_root_help(CLI::App& app) { app.formatter(std::make_shared<RootHelp>()); }

}  // namespace percycle
