#include "session/stop.hpp"

#include <csignal>

namespace percycle {

std::atomic<bool>& stop_requested() {
  static std::atomic<bool> requested{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  return requested;
}

void stop_on(int signal) {
  stop_requested();  // made before the handler can run
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested() = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(signal, &action, nullptr);
}

}  // namespace percycle
