#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle limits [NAME] [--json] [--limits FILE]`: prints limits and their sources for one
/// device or architecture, or the whole catalogue.
void add_limits(CLI::App& app);

}  // namespace percycle
