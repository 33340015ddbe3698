#include "platform/all_cores.hpp"

#include "platform/host.hpp"

namespace percycle {

std::size_t useful_threads() { return std::min<std::size_t>(usable_cores(), 8); }

}  // namespace percycle
