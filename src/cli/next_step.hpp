#pragma once

#include <string>
#include <vector>

namespace percycle {

/// Record files as arguments of a next command: one by its name, as a word of a shell; several, or
/// a pipe, as "FILE...".
std::string file_arguments(const std::vector<std::string>& paths);

/// Prints the last line of a command: "next: COMMAND". Call it for text output only.
void print_next(const std::string& command);

}  // namespace percycle
