#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle limits [NAME] [--json] [--limits FILE]`: what bandwidths are held against, with the source of each figure; all of the
/// catalogue, or what is known of one device or architecture.
void add_limits(CLI::App& app);

}  // namespace percycle
