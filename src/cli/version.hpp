#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `--version`, and `--version --json` with compiler and libraries.
void add_version(CLI::App& app);

}  // namespace percycle
