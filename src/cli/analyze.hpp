#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle analyze FILE... [--json]`: the memory hierarchy behind the records, device by device.
void add_analyze(CLI::App& app, int& exit_status);

}  // namespace percycle
