#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle devices [--json]`: lists devices by card. Sets exit_status to 0 even without a device:
/// an empty list is a valid answer.
void add_devices(CLI::App& app, int& exit_status);

}  // namespace percycle
