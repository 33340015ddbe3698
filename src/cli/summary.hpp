#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle summary FILE...`: prints the summary that a run prints at its end.
void add_summary(CLI::App& app, int& exit_status);

}  // namespace percycle
