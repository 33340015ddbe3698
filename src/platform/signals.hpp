#pragma once

#include <atomic>
#include <string_view>

namespace percycle {

/// Set by the first signal that asks this process to stop. Read between two dispatches (worker) or two points (parent).
std::atomic<bool>& stop_requested();

/// From now on Ctrl-C writes `notice` to stderr and sets stop_requested() instead of ending the process; a second one ends it as usual. Waits
/// in system calls are interrupted.
void stop_on_interrupt(std::string_view notice);

/// The same for what Process::ask_to_stop() sends.
void stop_when_asked();

/// From now on a write to a pipe that nobody reads fails instead of ending the process.
void ignore_broken_pipes();

/// From now on a timer that a driver started and nobody waits for does not end this process.
void ignore_alarms();

/// From now on the end of the process that started this one ends this one, too.
void end_with_parent();

}  // namespace percycle
