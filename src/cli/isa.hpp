#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle isa KERNEL [OPTION]...`: prints the machine code that a driver generates for a timed
/// kernel. Sets exit_status to 1 if a program does not compile.
void add_isa(CLI::App& app, int& exit_status);

}  // namespace percycle
