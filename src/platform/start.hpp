#pragma once

#include <string>
#include <vector>

namespace percycle {

/// Prepares this process: the first call in main(). Opens an empty file as stdin, stdout and stderr
/// if this process was started without them, as the next file would take their place and receive
/// the output.
void start_process();

/// The arguments of main() in UTF-8, with the program's name.
std::vector<std::string> utf8_arguments(int argc, char** argv);

}  // namespace percycle
