#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle report FILE... -o DIR`. Every failure is thrown; before the files were all read nothing is written.
void add_report(CLI::App& app, int& exit_status);

}  // namespace percycle
