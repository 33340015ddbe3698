#pragma once

#include <string>

#include "limits/limits.hpp"

namespace percycle {

/// Every figure of the catalogue: one table line each, with its source.
std::string to_text(const LimitsCatalogue& catalogue);

/// The figures of one device or architecture, each with its source and quote.
std::string to_text(const DeviceLimits& limits);

}  // namespace percycle
