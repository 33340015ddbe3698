#include "core/all_cores.hpp"

#include <sched.h>

namespace percycle {

std::size_t useful_threads() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;  // more than 1024 in the machine, too
  return static_cast<std::size_t>(std::clamp(CPU_COUNT(&cores), 1, 8));
}

}  // namespace percycle
