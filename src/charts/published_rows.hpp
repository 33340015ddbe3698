#pragma once

#include <deque>
#include <vector>

#include "charts/drawing.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// Published rows, with the names of the measured rows beside them, if any. `copies` owns the
/// renamed rows.
std::vector<DeviceRows> beside_measured(const std::vector<DeviceRows>& devices, const std::vector<PublishedPlace>& places,
                                        std::deque<PointRow>& copies);

}  // namespace percycle
