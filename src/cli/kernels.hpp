#pragma once

namespace CLI {
class App;
}

namespace percycle {

/// `percycle kernels [--api API] [--gpu KIND]... [--json] [--out DIR]`: every program that the experiments have compiled.
void add_kernels(CLI::App& app);

}  // namespace percycle
