#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle show FILE... [--limits FILE]`: prints each file's tables. Sets exit_status to 2 when a file is bad; the others are still shown.
void add_show(CLI::App& app, int& exit_status);

}  // namespace percycle
