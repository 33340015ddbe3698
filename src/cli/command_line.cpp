#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "experiments/experiment.hpp"
#include "limits/close_names.hpp"
#include "platform/host.hpp"
#include "platform/signals.hpp"
#include "session/isa_worker.hpp"
#include "session/worker.hpp"

namespace percycle {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

constexpr int kClosedPipe = 141;  // 128 + SIGPIPE, as in shells

/// Prints the text of a message (%v of the pattern) as one printable line.
class PrintableMessage : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& line) override {
    const std::string text = one_line({message.payload.data(), message.payload.size()});
    line.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<PrintableMessage>(); }
};

void set_up_messages() {
  const auto colour = stderr_has_colour() ? spdlog::color_mode::always : spdlog::color_mode::never;
  spdlog::set_default_logger(spdlog::stderr_color_mt("percycle", colour));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<PrintableMessage>('v').set_pattern("percycle: %^%l%$: %v");
  spdlog::set_formatter(std::move(formatter));
}

/// "; did you mean: NAME, NAME"; empty if no name is close.
std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
  const auto close = close_names(name, names);
  return close.empty() ? "" : fmt::format("; did you mean: {}", fmt::join(close, ", "));
}

std::string no_command(const CLI::App& app, const std::string& name) {
  if (name.empty()) return "a command is required";
  if (find_experiment(name) != nullptr) return fmt::format("'{0}' is an experiment: percycle run {0}", name);
  if (name == "man") return "the manual page is printed by: percycle help --man";
  if (name == "completion") return "completions are printed by: percycle help --completion bash";
  if (name.starts_with('-')) return fmt::format("there is no option '{}'", name);
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  return fmt::format("there is no command '{}'{}", name, suggestion(name, commands));
}

/// The first word that the command does not take.
std::string unexpected_word(const CLI::App& command) {
  const std::string word = command.remaining().front();
  if (!word.starts_with('-')) return fmt::format("unexpected argument '{}'", word);
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options([](const CLI::Option* each) { return each->nonpositional(); }))
    options.push_back(option->get_name());
  return fmt::format("there is no option '{}'{}", word, suggestion(word, options));
}

/// An error in the words of the command line, with the help that lists the right ones.
std::string parse_problem(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();  // without a filter: those on the command line
  if (chosen.empty()) {
    const auto words = app.remaining();
    return fmt::format("{} (see percycle --help)", no_command(app, words.empty() ? "" : words.front()));
  }
  const CLI::App& command = *chosen.front();
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !command.remaining().empty();
  return fmt::format("{} (see percycle {} --help)", is_extra ? unexpected_word(command) : std::string(error.what()),
                     command.get_name());
}

}  // namespace

int command_line(const std::vector<std::string>& arguments) {
  set_up_messages();
  ignore_broken_pipes();  // writing to a dead worker must not end percycle

  if (arguments.size() > 1 && arguments[1] == "worker") {
    if (arguments.size() == 3 && arguments[2] == kIsaWorker) return isa_worker();
    return worker_main({arguments.begin() + 2, arguments.end()});
  }

  CLI::App app("Measure the memory hierarchy and execution units of GPUs by OpenCL and Vulkan", "percycle");
  add_version(app);
  app.require_subcommand(1);
  set_command_help(app);
  int exit_status = 0;
  add_run(app, exit_status);
  add_summary(app, exit_status);
  add_show(app, exit_status);
  add_analyze(app, exit_status);
  add_ceilings(app, exit_status);
  add_compare(app, exit_status);
  add_report(app, exit_status);
  add_site(app, exit_status);
  add_export(app, exit_status);
  add_share(app, exit_status);
  add_validate(app, exit_status);
  add_devices(app, exit_status);
  add_doctor(app, exit_status);
  add_list(app);
  add_limits(app);
  add_kernels(app);
  add_isa(app, exit_status);
  add_help(app);
  set_root_help(app);
  try {
    try {
      std::vector<std::string> words(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
      std::ranges::reverse(words);  // as CLI11 expects them
      if (words.empty()) write_output(app.help());
      app.parse(std::move(words));
    } catch (const CLI::Success& asked_for_help_or_version) {
      std::ostringstream text;
      exit_status = app.exit(asked_for_help_or_version, text, text);
      write_output(text.str());
    }
    flush_output();
    return exit_status;
  } catch (const OutputError& error) {
    if (error.is_closed_pipe()) return kClosedPipe;
    spdlog::error("{}", error.what());
    return kFailed;
  } catch (const CLI::ParseError& error) {
    spdlog::error("{}", parse_problem(app, error));
    return kBadUsage;
  } catch (const UsageError& error) {
    spdlog::error("{}", error.what());
    return kBadUsage;
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return kFailed;
  }
}

}  // namespace percycle
