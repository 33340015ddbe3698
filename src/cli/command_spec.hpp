#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace percycle {

/// An option or positional, described for the man page and completions.
struct OptionSpec {
  std::vector<std::string> names;    ///< "-o", "--out"; empty for a positional
  std::string value;                 ///< "FILE", "SECONDS"; empty for a flag
  std::vector<std::string> choices;  ///< allowed values; empty: any
  std::string help;
  bool required = false;
  bool repeatable = false;

  /// Whether the value names a file or folder.
  bool takes_path() const;
};

struct CommandSpec {
  std::string name;  ///< empty: the program itself
  std::string help;
  std::vector<OptionSpec> options;
  std::vector<OptionSpec> positionals;
  std::string example;  ///< the text below the options: "Example: percycle list"
};

/// The program and its commands, read from CLI11. `experiments` are the choices of values called
/// EXPERIMENT.
std::vector<CommandSpec> command_specs(const CLI::App& app, const std::vector<std::string>& experiments);

}  // namespace percycle
