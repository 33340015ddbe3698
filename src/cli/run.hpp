#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle run [EXPERIMENT...]`: measures and appends records. Sets exit_status to 0, 1 or 130.
/// Throws UsageError and RunError.
void add_run(CLI::App& app, int& exit_status);

}  // namespace percycle
