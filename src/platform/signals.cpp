#include "platform/signals.hpp"

#include <sys/prctl.h>

#include <csignal>

namespace percycle {
namespace {

void stop_on(int signal) {
  stop_requested();  // made before the handler can run
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested() = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(signal, &action, nullptr);
}

}  // namespace

std::atomic<bool>& stop_requested() {
  static std::atomic<bool> requested{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  return requested;
}

void stop_on_interrupt() { stop_on(SIGINT); }

void stop_when_asked() { stop_on(SIGTERM); }

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void ignore_alarms() { std::signal(SIGALRM, SIG_IGN); }

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace percycle
