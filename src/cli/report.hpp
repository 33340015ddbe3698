#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle report FILE... [-o DIR]`: writes a report. Reads all files before it writes anything;
/// throws every failure.
void add_report(CLI::App& app, int& exit_status);

}  // namespace percycle
