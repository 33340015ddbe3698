#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle share FILE... -o OUT`: copies records without data that identifies a card or machine.
void add_share(CLI::App& app, int& exit_status);

}  // namespace percycle
