#pragma once

#include <map>
#include <string>

namespace percycle {

/// `PROGRAM worker SCRIPT`, as Child starts a test program, plays the script instead of tests.
std::map<std::string, void (*)()>& worker_scripts();

}  // namespace percycle
