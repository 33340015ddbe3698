#pragma once

#include <map>
#include <string>

namespace percycle {

/// Tells AMD's OpenCL, through the environment that every child inherits, the `wgp_mode` that `set` (--set key=value) asks of a run; leaves
/// the environment alone where it asks for none. To be called before the first child is started. Throws UsageError where one experiment
/// alone shall have another mode than the run: all of a run's kernels have the same.
void tell_drivers(const std::map<std::string, std::string>& set);

}  // namespace percycle
