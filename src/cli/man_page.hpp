#pragma once

#include <string>
#include <vector>

#include "cli/command_spec.hpp"

namespace percycle {

/// The manual page percycle(1), in roff.
std::string man_page(const std::vector<CommandSpec>& commands, const std::string& version);

}  // namespace percycle
