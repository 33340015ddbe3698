#pragma once

#include <string>
#include <vector>

namespace percycle {

/// The whole program: parses main()'s arguments, runs one command and returns the exit status.
/// Every failure is one line on stderr.
int command_line(const std::vector<std::string>& arguments);

}  // namespace percycle
