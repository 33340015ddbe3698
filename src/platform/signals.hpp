#pragma once

#include <atomic>
#include <memory>
#include <string_view>

namespace percycle {

/// Set by the first signal that asks this process to stop. Read between two dispatches (worker) or
/// two points (parent).
std::atomic<bool>& stop_requested();

/// After this call Ctrl-C writes `notice` to stderr and sets stop_requested() instead of ending the
/// process; a second one ends it as usual. Waits in system calls are interrupted.
void stop_on_interrupt(std::string_view notice);

/// The same for the signal of Process::ask_to_stop().
void stop_when_asked();

/// Blocks all signals of this thread, and of threads it starts, until the end of its scope.
class BlockedSignals {
 public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  struct Mask;
  std::unique_ptr<Mask> before_;
};

/// After this call a write to a pipe without a reader fails instead of ending the process.
void ignore_broken_pipes();

/// After this call an unhandled timer of a driver does not end this process.
void ignore_alarms();

/// After this call this process ends when its parent ends.
void end_with_parent();

}  // namespace percycle
