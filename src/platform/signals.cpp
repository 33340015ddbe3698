#include "platform/signals.hpp"

namespace percycle {

std::atomic<bool>& stop_requested() {
  static std::atomic<bool> requested{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  return requested;
}

}  // namespace percycle
