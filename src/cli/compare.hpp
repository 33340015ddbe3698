#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle compare FILE...`: compares record files. Sets exit_status to 3 if a point got worse by
/// more than --fail-above.
void add_compare(CLI::App& app, int& exit_status);

}  // namespace percycle
