#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle isa KERNEL [--device SELECTOR]... [--api API] [--define NAME=VALUE]... [--json] [--code] [--out DIR]`: what a device's driver made of a timed
/// kernel. Ends with 1 where one of the programs does not compile.
void add_isa(CLI::App& app, int& exit_status);

}  // namespace percycle
