#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle validate FILE...`: prints one verdict per file. `--schema` prints the JSON Schema.
/// Sets exit_status to 1 for a partial last line, to 2 for a damaged, newer or unreadable file.
void add_validate(CLI::App& app, int& exit_status);

}  // namespace percycle
