#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle help [TOPIC]`: prints pages of the documentation, the man page or completions.
void add_help(CLI::App& app);

/// Makes `percycle --help` fit one screen.
void set_root_help(CLI::App& app);

}  // namespace percycle
