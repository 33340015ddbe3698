#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle help [TOPIC]`: pages of the documentation, the man page, completions.
void add_help(CLI::App& app);

/// `percycle --help`, on one screen.
void set_root_help(CLI::App& app);

}  // namespace percycle
