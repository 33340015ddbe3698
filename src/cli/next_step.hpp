#pragma once

#include <string>
#include <vector>

namespace percycle {

/// Record files as arguments of a next command: one by its name, as a word of a shell; several, or
/// a pipe, as "FILE...".
std::string file_arguments(const std::vector<std::string>& paths);

/// "next: COMMAND   (ASIDE)". If 120 columns are too few, the aside has its own line, and the files
/// of a long command follow a backslash.
std::string next_step_text(const std::string& command, const std::string& aside = "");

/// Prints this text as the end of a command. Call it for text output only.
void print_next(const std::string& command, const std::string& aside = "");

}  // namespace percycle
