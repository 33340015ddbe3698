#pragma once

#include <optional>
#include <string>

namespace percycle {

/// Facts of a card that its telemetry library knows, for an API without a query for them.
struct CardFacts {
  std::optional<std::string> compute_capability;  ///< "9.0"; empty if unknown
  /// The kind of part of a card: "MIG slice" if MIG splits it, "vGPU"; empty for a whole card, or
  /// if unknown.
  std::string part;
};

}  // namespace percycle
