#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle list [--json]`: the experiments, the question each answers, their parameters and defaults.
void add_list(CLI::App& app);

}  // namespace percycle
