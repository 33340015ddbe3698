#pragma once

#include <atomic>

namespace percycle {

/// Set by the first signal that asks this process to stop. Read between two dispatches (worker) or two points (parent).
std::atomic<bool>& stop_requested();

/// From now on `signal` sets stop_requested() instead of ending the process; a second one ends it as usual. Waits in system calls are
/// interrupted.
void stop_on(int signal);

}  // namespace percycle
