#include "cli/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace percycle {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The text as one word of a POSIX shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::vector<std::string> option_names(const CommandSpec& command) {
  std::vector<std::string> names;
  for (const OptionSpec& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> command_names(const std::vector<CommandSpec>& commands) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < commands.size(); ++i) names.push_back(commands[i].name);
  return names;
}

std::vector<std::string> positional_choices(const CommandSpec& command) {
  std::vector<std::string> choices;
  for (const OptionSpec& positional : command.positionals)
    choices.insert(choices.end(), positional.choices.begin(), positional.choices.end());
  return choices;
}

bool takes_files(const CommandSpec& command) {
  return std::any_of(command.positionals.begin(), command.positionals.end(),
                     [](const OptionSpec& positional) { return positional.takes_path(); });
}

std::string bash_words(const std::vector<std::string>& words) {
  return fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\"))", quoted(fmt::format("{}", fmt::join(words, " "))));
}

constexpr std::string_view kBashFiles = "COMPREPLY=($(compgen -f -- \"$current\"))";
/// Files, and the beginning of a published card's name.
constexpr std::string_view kBashRecords = "COMPREPLY=($(compgen -f -W published: -- \"$current\"))";

/// Completes the value of each option that takes one.
std::string bash_values(const CommandSpec& command) {
  std::string text;
  for (const OptionSpec& option : command.options) {
    if (option.value.empty()) continue;
    const std::string reply = !option.choices.empty() ? bash_words(option.choices)
                              : option.takes_path()   ? std::string(kBashFiles)
                                                      : "COMPREPLY=()";
    for (const std::string& name : option.names) text += fmt::format("    {},{}) {}; return ;;\n", command.name, name, reply);
  }
  return text;
}

std::string bash_arguments(const CommandSpec& command) {
  const std::vector<std::string> choices = positional_choices(command);
  const std::string otherwise = !choices.empty()       ? bash_words(choices)
                                : takes_files(command) ? std::string(kBashRecords)
                                                       : "COMPREPLY=()";
  return fmt::format("    {}) if [[ $current == -* ]]; then {}; else {}; fi ;;\n", command.name,
                     bash_words(option_names(command)), otherwise);
}

/// Escapes text that stands inside zsh's [...] of an option.
std::string zsh_help(const std::string& help) { return replaced(replaced(replaced(help, "\\", "\\\\"), "[", "\\["), "]", "\\]"); }

std::string zsh_action(const OptionSpec& option) {
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
  return option.takes_path() ? "_files" : "";
}

std::string zsh_arguments(const CommandSpec& command) {
  std::string text;
  for (const OptionSpec& option : command.options) {
    for (const std::string& name : option.names) {
      const std::string value = option.value.empty() ? "" : fmt::format(":{}:{}", option.value, zsh_action(option));
      text += fmt::format(" \\\n        {}", quoted(fmt::format("*{}[{}]{}", name, zsh_help(option.help), value)));
    }
  }
  for (const OptionSpec& positional : command.positionals)
    text += fmt::format(" \\\n        {}", quoted(fmt::format("*:{}:{}", positional.value, zsh_action(positional))));
  return text;
}

/// The text as one word of fish.
std::string fish_quoted(const std::string& text) { return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'"; }

std::string fish_option(const std::string& condition, const OptionSpec& option) {
  std::string text = fmt::format("complete -c percycle -n {}", fish_quoted(condition));
  for (const std::string& name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty())
    text += fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  else if (option.takes_path())
    text += " -r -F";
  else if (!option.value.empty())
    text += " -x";
  return text + " -d " + fish_quoted(option.help) + '\n';
}

}  // namespace

std::string bash_completion(const std::vector<CommandSpec>& commands) {
  std::string values;
  std::string arguments;
  for (std::size_t i = 1; i < commands.size(); ++i) {
    values += bash_values(commands[i]);
    arguments += bash_arguments(commands[i]);
  }
  std::vector<std::string> first = command_names(commands);
  const std::vector<std::string> options = option_names(commands.front());
  first.insert(first.end(), options.begin(), options.end());
  return "# bash completion of percycle; made by percycle help --completion bash\n"
         "_percycle() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
         "  if ((COMP_CWORD == 1)); then\n    " +
         bash_words(first) + "\n    return\n  fi\n  case $command,$previous in\n" + values + "  esac\n  case $command in\n" +
         arguments + "  esac\n}\ncomplete -o filenames -F _percycle percycle\n";
}

std::string zsh_completion(const std::vector<CommandSpec>& commands) {
  std::string names;
  std::string cases;
  for (std::size_t i = 1; i < commands.size(); ++i) {
    names += fmt::format("    {}\n", quoted(fmt::format("{}:{}", commands[i].name, commands[i].help)));
    cases += fmt::format("    {})\n      _arguments{}\n      ;;\n", commands[i].name, zsh_arguments(commands[i]));
  }
  return "#compdef percycle\n# made by percycle help --completion zsh\n"
         "_percycle() {\n  local state line\n  local -a commands\n  commands=(\n" +
         names + "  )\n  _arguments -C" + zsh_arguments(commands.front()) +
         " \\\n        '1:command:->command' '*::argument:->argument'\n"
         "  case $state in\n  command) _describe command commands ;;\n  argument)\n    case $words[1] in\n" +
         cases + "    esac\n    ;;\n  esac\n}\n_percycle \"$@\"\n";
}

std::string fish_completion(const std::vector<CommandSpec>& commands) {
  std::string text = "# fish completion of percycle; made by percycle help --completion fish\ncomplete -c percycle -f\n";
  for (const OptionSpec& option : commands.front().options) text += fish_option("__fish_use_subcommand", option);
  for (std::size_t i = 1; i < commands.size(); ++i) {
    const CommandSpec& command = commands[i];
    text += fmt::format("complete -c percycle -n __fish_use_subcommand -a {} -d {}\n", command.name, fish_quoted(command.help));
    const std::string seen = "__fish_seen_subcommand_from " + command.name;
    for (const OptionSpec& option : command.options) text += fish_option(seen, option);
    if (const auto choices = positional_choices(command); !choices.empty())
      text += fmt::format("complete -c percycle -n {} -a {}\n", fish_quoted(seen),
                          fish_quoted(fmt::format("{}", fmt::join(choices, " "))));
    if (takes_files(command)) text += fmt::format("complete -c percycle -n {} -F -a published:\n", fish_quoted(seen));
  }
  return text;
}

}  // namespace percycle
