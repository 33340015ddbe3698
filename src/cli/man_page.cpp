#include "cli/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace percycle {
namespace {

/// Escapes roff's special characters.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\n')
      escaped += ' ';
    else
      escaped += c;
  }
  const bool is_request = escaped.starts_with('.') || escaped.starts_with('\'');
  return is_request ? "\\&" + escaped : escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string sentence(const std::string& help) { return roff(help) + (help.ends_with('.') ? "" : "."); }

std::string positional_name(const OptionSpec& positional) {
  return italic(positional.value) + (positional.repeatable ? "..." : "");
}

/// An option's value as help prints it: "FILE", "{opencl,vulkan}". Many choices, such as all
/// experiments, do not fit a line.
std::string value_name(const OptionSpec& option) {
  constexpr std::size_t kMostChoices = 10;
  if (option.choices.empty() || option.choices.size() > kMostChoices) return italic(option.value);
  return bold(fmt::format("{{{}}}", fmt::join(option.choices, ",")));
}

std::string option_entry(const OptionSpec& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  const std::string value = option.value.empty() ? "" : " " + value_name(option);
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, sentence(option.help));
}

std::string positional_entry(const OptionSpec& positional) {
  std::string text = fmt::format(".TP\n{}\n{}\n", positional_name(positional), sentence(positional.help));
  if (!positional.choices.empty()) text += roff(fmt::format("Values: {}.", fmt::join(positional.choices, ", "))) + "\n";
  return text;
}

std::string entry(std::string_view name, const std::string& help) {
  return fmt::format(".TP\n{}\n{}\n", bold(std::string(name)), roff(help));
}

std::string synopsis(const CommandSpec& command) {
  std::string text = bold("percycle") + " " + bold(command.name);
  if (!command.options.empty()) text += " [" + italic("options") + "]";
  for (const OptionSpec& positional : command.positionals) {
    const std::string name = positional_name(positional);
    text += positional.required ? " " + name : " [" + name + "]";
  }
  return text;
}

/// "Example: percycle list" as an example in roff.
std::string example_lines(const std::string& footer) {
  constexpr std::string_view kTitle = "Example: ";
  if (!footer.starts_with(kTitle)) return {};
  return fmt::format(".PP\nExample:\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n", roff(footer.substr(kTitle.size())));
}

}  // namespace

std::string man_page(const std::vector<CommandSpec>& commands, const std::string& version, const std::string& date) {
  const CommandSpec& program = commands.front();
  std::string text = fmt::format(".TH PERCYCLE 1 \"{}\" \"percycle {}\" \"User Commands\"\n", roff(date), roff(version));
  text += ".nh\n.ad l\n";  // no hyphens in names of experiments, and ragged lines
  text += ".SH NAME\npercycle \\- measure the memory hierarchy and the execution units of GPUs\n";
  text += fmt::format(".SH SYNOPSIS\n{} {} [{}]\n", bold("percycle"), italic("command"), italic("arguments"));
  text += fmt::format(".SH DESCRIPTION\n{}.\n", roff(program.help));
  text += fmt::format("{} prints pages of the documentation.\n", bold("percycle help"));
  text += ".SH OPTIONS\n";
  for (const OptionSpec& option : program.options) text += option_entry(option);
  text += ".SH COMMANDS\n";
  for (std::size_t i = 1; i < commands.size(); ++i) {
    text += fmt::format(".SS {}\n{}\n.PP\n{}.\n", roff(commands[i].name), synopsis(commands[i]), roff(commands[i].help));
    for (const OptionSpec& positional : commands[i].positionals) text += positional_entry(positional);
    for (const OptionSpec& option : commands[i].options) text += option_entry(option);
    text += example_lines(commands[i].example);
  }
  text += ".SH ENVIRONMENT\n";
  text += entry("NO_COLOR", "If it is set and not empty, percycle prints no colour.");
  text += entry("PERCYCLE_PATIENCE", "Seconds after which percycle ends a driver that does not answer.");
  text += ".SH EXIT STATUS\n";
  text += entry("0", "Done.");
  text += entry("1", "Something failed, was invalid, or was skipped after a fault.");
  text += entry("2", "Bad usage or bad input.");
  text += entry("3", "compare --fail-above found a point or a size that got worse.");
  text += entry("130", "Ctrl-C stopped the run. All finished points are in the file.");
  text += entry("141", "The reader of the output closed the pipe.");
  return text;
}

}  // namespace percycle
