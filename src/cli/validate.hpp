#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle validate FILE...`: one line of verdict per file. Sets exit_status to 1 when a file has a partial last line, to 2
/// when one is damaged, newer or unreadable. `percycle validate --schema` prints the published JSON Schema.
void add_validate(CLI::App& app, int& exit_status);

}  // namespace percycle
