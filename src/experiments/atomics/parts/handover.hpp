#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/trial.hpp"

namespace percycle {

/// Who passes a token to and fro.
struct Handover {
  enum class Between {
    lanes,      ///< of one subgroup
    subgroups,  ///< of one work-group
    unit,       ///< two work-groups on one unit
    units,      ///< two work-groups on two units
    groups,     ///< two work-groups, wherever they run
  };

  Between between = Between::units;
  bool local = false;        ///< the token lies in local memory: lanes and subgroups only
  std::uint32_t first = 0;   ///< unit of side 0, of `unit` and `units`
  std::uint32_t second = 0;  ///< unit of side 1, of `units`
  bool brief = false;        ///< a few samples: one of many pairs
};

/// "two lanes of a subgroup", "two work-groups on unit 3", ...
std::string to_string(const Handover& handover);

/// Why this device cannot even try; empty where it can.
std::optional<std::string> unsupported(const DeviceInfo& device, const Handover& handover);

/// A dispatch in which both sides pass the token by compare-exchange (kernel pair `atomic_handover`); an operation is one hand-over. Series
/// `tries`: the compare-exchanges of each side. Where the other side shows no sign, or the token stops, within a bounded number of tries it is
/// `unsupported: no forward progress between ...`; a unit on which no work-group ran likewise. Throws DeviceError.
Trial handover_trial(Device& device, const Handover& handover);

}  // namespace percycle
