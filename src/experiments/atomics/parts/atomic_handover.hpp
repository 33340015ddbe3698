#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/trial.hpp"

namespace percycle {

/// Two sides that pass a token to and fro.
struct Handover {
  enum class Between {
    lanes,      ///< of one subgroup
    subgroups,  ///< of one work-group
    unit,       ///< two work-groups on one unit
    units,      ///< two work-groups on two units
    groups,     ///< two work-groups on any units
  };

  Between between = Between::units;
  bool local = false;        ///< the token is in local memory: lanes and subgroups only
  std::uint32_t first = 0;   ///< unit of side 0, for `unit` and `units`
  std::uint32_t second = 0;  ///< unit of side 1, for `units`
  bool brief = false;        ///< few samples, for one of many pairs
};

/// "two lanes of a subgroup", "two work-groups on unit 3", ...
std::string to_string(const Handover& handover);

/// Why this device cannot try; empty if it can.
std::optional<std::string> unsupported(const DeviceInfo& device, const Handover& handover);

/// The sides pass the token by compare-exchange (kernel pair `atomic_handover`). An operation is
/// one hand-over; series `tries` counts the compare-exchanges of each side. The outcome is
/// `unsupported` if a side gives up or no work-group runs on a unit. Throws DeviceError.
Trial handover_trial(Device& device, const Handover& handover);

}  // namespace percycle
