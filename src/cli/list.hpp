#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle list [--json]`: lists experiments with their questions, parameters and defaults.
void add_list(CLI::App& app);

}  // namespace percycle
