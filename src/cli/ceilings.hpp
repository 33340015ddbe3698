#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// Adds the command `ceilings`. It sets `exit_status`.
void add_ceilings(CLI::App& app, int& exit_status);

}  // namespace percycle
