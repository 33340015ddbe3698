#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle compare FILE...`: record files beside each other. Exits 3 where --fail-above is given and a metric got worse by more than that.
void add_compare(CLI::App& app, int& exit_status);

}  // namespace percycle
