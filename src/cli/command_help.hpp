#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// Makes the help of every command that is added later fit 100 columns.
void set_command_help(CLI::App& app);

}  // namespace percycle
