#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// The devices that `selectors` can mean: those of the drivers, as `enumerate` finds them, and after them each simulated device that is
/// named. The drivers are not asked where every selector names a simulated device, so that those need no driver and wait for none. Throws
/// UsageError for a model that there is not or that is wrong.
Enumeration available(const std::vector<std::string>& selectors, const std::function<Enumeration()>& enumerate);

}  // namespace percycle
