#pragma once

namespace percycle {

/// The whole program: parses the arguments, runs one command and returns the exit status. Every
/// failure is one line on stderr.
int command_line(int argc, char** argv);

}  // namespace percycle
