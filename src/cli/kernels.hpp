#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle kernels [OPTION]...`: lists every program that an experiment compiles.
void add_kernels(CLI::App& app);

}  // namespace percycle
