#pragma once

#include "exports/card_readings.hpp"

namespace percycle {

/// The name of the format, in options and files.
inline constexpr const char* kRoofline = "roofline";

/// The ceilings of a card as tables of profilers: `roofline.csv` of ROCm Compute Profiler
/// (Omniperf) and `roofline.json` of the Empirical Roofline Toolkit.
CardExport roofline_export(const KeyColumn& card);

}  // namespace percycle
