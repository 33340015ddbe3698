#pragma once

#include <string>
#include <vector>

#include "cli/command_spec.hpp"

namespace percycle {

/// The manual page percycle(1), in roff. The date is the version's.
std::string man_page(const std::vector<CommandSpec>& commands, const std::string& version, const std::string& date);

}  // namespace percycle
