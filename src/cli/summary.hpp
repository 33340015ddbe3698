#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle summary FILE...`: what a run prints at its end, for record files.
void add_summary(CLI::App& app, int& exit_status);

}  // namespace percycle
