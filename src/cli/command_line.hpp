#pragma once

namespace percycle {

/// The whole program: parses, runs one subcommand, returns the exit status. Every failure is one line on stderr.
int command_line(int argc, char** argv);

}  // namespace percycle
