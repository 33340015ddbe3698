#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// Adds the subcommand `devices`. It ends with 0 also where there is no device: to say so is what it was asked for.
void add_devices(CLI::App& app, int& exit_status);

}  // namespace percycle
