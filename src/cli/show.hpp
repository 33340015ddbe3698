#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle show FILE... [--limits FILE]`: prints the tables of each file. If a file is bad, shows
/// the others and sets exit_status to 2.
void add_show(CLI::App& app, int& exit_status);

}  // namespace percycle
