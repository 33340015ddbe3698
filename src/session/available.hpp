#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// The devices that `selectors` can mean: the devices that `enumerate` finds, then each named
/// simulated device. If all name simulated devices, no driver is opened. Throws UsageError
/// for a missing or wrong model.
Enumeration available(const std::vector<std::string>& selectors, const std::function<Enumeration()>& enumerate);

}  // namespace percycle
