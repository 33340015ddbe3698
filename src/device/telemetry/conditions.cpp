#include "device/telemetry/conditions.hpp"

#include <fmt/format.h>

#include "core/figures.hpp"

namespace percycle::telemetry {

void add_display(Conditions& conditions, bool attached) {
  conditions.observed["display"] = attached ? "attached" : "none";
  if (attached) conditions.warnings.emplace_back("a display is attached to the GPU");
}

void add_power_limit(Conditions& conditions, double limit_w, double usual_w) {
  constexpr double kLowered = 0.99;
  conditions.observed["power_limit_w"] = fmt::format("{:.0f} of {:.0f}", limit_w, usual_w);
  if (limit_w < kLowered * usual_w)
    conditions.warnings.push_back(fmt::format("the power limit is {}; the default is {}", in_unit(limit_w, 0, unit_text::kWatts),
                                              in_unit(usual_w, 0, unit_text::kWatts)));
}

}  // namespace percycle::telemetry
