#include "cli/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string term(const OptionSpec& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty()) text += (text.empty() ? "" : " ") + italic(option.value);
  return text;
}

std::string entry(const OptionSpec& option) {
  std::string help = option.help;
  if (!option.choices.empty()) help += fmt::format(" ({})", fmt::join(option.choices, ", "));
  return fmt::format(".TP\n{}\n{}\n", term(option), roff(help));
}

std::string synopsis(const CommandSpec& command) {
  std::string text = bold("percycle") + " " + bold(command.name);
  if (!command.options.empty()) text += " [" + italic("options") + "]";
  for (const OptionSpec& positional : command.positionals) text += " " + italic(positional.value);
  return text;
}

}  // namespace

std::string man_page(const std::vector<CommandSpec>& commands, const std::string& version, const std::string& date) {
  const CommandSpec& program = commands.front();
  std::string text = fmt::format(".TH PERCYCLE 1 \"{}\" \"percycle {}\" \"User Commands\"\n", roff(date), roff(version));
  text += ".SH NAME\npercycle \\- measure the memory hierarchy and the execution units of GPUs\n";
  text += fmt::format(".SH SYNOPSIS\n{} {} [{}]\n", bold("percycle"), italic("command"), italic("arguments"));
  text += fmt::format(".SH DESCRIPTION\n{}.\n", roff(program.help));
  text += fmt::format("{} prints pages of the documentation.\n", bold("percycle help"));
  text += ".SH OPTIONS\n";
  for (const OptionSpec& option : program.options) text += entry(option);
  text += ".SH COMMANDS\n";
  for (std::size_t i = 1; i < commands.size(); ++i) {
    text += fmt::format(".SS {}\n{}\n.PP\n{}.\n", roff(commands[i].name), synopsis(commands[i]), roff(commands[i].help));
    for (const OptionSpec& positional : commands[i].positionals) text += entry(positional);
    for (const OptionSpec& option : commands[i].options) text += entry(option);
  }
  text += ".SH ENVIRONMENT\n";
  text += entry({.names = {"NO_COLOR"}, .value = {}, .choices = {}, .help = "If it is set and not empty, nothing is coloured."});
  text += entry({.names = {"PERCYCLE_PATIENCE"},
                 .value = {},
                 .choices = {},
                 .help = "Seconds after which a driver that does not answer is ended."});
  text +=
      fmt::format(".SH EXIT STATUS\n{}\n", roff("0: done. 1: something failed. 2: bad usage or input. 3: compare --fail-above "
                                                "found a loss. 130: Ctrl-C. 141: the reader of the output closed the pipe."));
  return text;
}

}  // namespace percycle
