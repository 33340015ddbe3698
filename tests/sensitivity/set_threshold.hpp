#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "analysis/thresholds.hpp"

namespace percycle::sensitivity {

struct Setting {
  std::string structure;
  std::size_t number = 0;
  double value = 0;
};

/// Replaces one threshold of a reader and resets its others.
template <typename Struct>
auto replacing(Struct& thresholds) {
  return [&thresholds](const Setting& setting) {
    auto values = std::bit_cast<std::array<double, sizeof(Struct) / sizeof(double)>>(Struct{});
    values.at(setting.number) = setting.value;
    thresholds = std::bit_cast<Struct>(values);
  };
}

inline const std::map<std::string, std::function<void(const Setting&)>> kStructs{
    {"CurveThresholds", replacing(curve_thresholds)},
    {"SecondLookThresholds", replacing(second_look_thresholds)},
    {"ShapeThresholds", replacing(shape_thresholds)},
    {"RiseThresholds", replacing(rise_thresholds)},
    {"LevelThresholds", replacing(level_thresholds)},
    {"GeometryThresholds", replacing(geometry_thresholds)},
    {"ReplacementThresholds", replacing(replacement_thresholds)},
    {"TlbThresholds", replacing(tlb_thresholds)},
    {"RampThresholds", replacing(ramp_thresholds)},
    {"StairThresholds", replacing(stair_thresholds)},
    {"DisturbanceThresholds", replacing(disturbance_thresholds)},
    {"HierarchyThresholds", replacing(hierarchy_thresholds)},
    {"CopiesThresholds", replacing(copies_thresholds)},
    {"GroupThresholds", replacing(group_thresholds)},
    {"ChipThresholds", replacing(chip_thresholds)},
    {"OwnerThresholds", replacing(owner_thresholds)},
    {"WideFetchThresholds", replacing(wide_fetch_thresholds)},
    {"WordThresholds", replacing(word_thresholds)},
    {"SchedulerThresholds", replacing(scheduler_thresholds)},
    {"PoolThresholds", replacing(pool_thresholds)},
};

/// Sets the threshold of a line `STRUCT NUMBER VALUE`; throws std::invalid_argument.
inline void set_threshold(const std::string& line) {
  Setting setting;
  std::istringstream words(line);
  words >> setting.structure >> setting.number >> setting.value;
  const auto known = kStructs.find(setting.structure);
  if (!words || known == kStructs.end()) throw std::invalid_argument("no threshold: " + line);
  known->second(setting);
}

}  // namespace percycle::sensitivity
