#pragma once

#include <map>
#include <string>

namespace percycle {

/// Passes the `wgp_mode` in `set` (--set key=value) to AMD's OpenCL through the environment of all
/// children, if there is one. Call it before the first child is started. Throws UsageError if a
/// single experiment has another mode than the run: all kernels of a run share it.
void export_wgp_mode(const std::map<std::string, std::string>& set);

}  // namespace percycle
