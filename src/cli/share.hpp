#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle share FILE... -o OUT`: records without what names a card or a machine.
void add_share(CLI::App& app, int& exit_status);

}  // namespace percycle
