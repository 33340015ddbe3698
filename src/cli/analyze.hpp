#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle analyze FILE... [--json]`: prints the memory hierarchy of each device.
void add_analyze(CLI::App& app, int& exit_status);

}  // namespace percycle
