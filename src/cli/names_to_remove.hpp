#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace percycle {

/// The option --remove of commands that share records.
void add_names_to_remove(CLI::App& command, std::vector<std::string>& names);

/// The given names, and the words that identify this machine; "localhost" does not.
std::vector<std::string> names_to_remove(std::vector<std::string> names);

}  // namespace percycle
