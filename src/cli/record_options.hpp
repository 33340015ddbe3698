#pragma once

#include <string>
#include <vector>

#include "limits/limits.hpp"

namespace CLI {
class App;
}

namespace percycle {

/// The argument FILE of commands that also take published cards.
void add_files_or_cards(CLI::App& command, std::vector<std::string>& paths);

/// The option --limits of commands with record files. `file` stays empty without it.
void add_user_limits(CLI::App& command, std::string& file);

/// The built-in limits, after those of the user's file unless its name is empty.
LimitsCatalogue limits_with(const std::string& file);

}  // namespace percycle
