#pragma once

#include <string>
#include <vector>

#include "cli/command_spec.hpp"

namespace percycle {

/// Completion scripts. They complete commands, options, choices of values, and file names.
std::string bash_completion(const std::vector<CommandSpec>& commands);
std::string zsh_completion(const std::vector<CommandSpec>& commands);
std::string fish_completion(const std::vector<CommandSpec>& commands);

}  // namespace percycle
