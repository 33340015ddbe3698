#pragma once

#include <cstdint>

namespace percycle {

/// One measured place of a latency curve.
struct CurveSample {
  double bytes = 0;           ///< footprint of the data walked
  double value = 0;           ///< latency there, cycles or ns
  double error = 0;           ///< standard error of the value, as its samples tell; 0 where they do not
  double together_bytes = 0;  ///< of neighbours that are visited together; 0 where each node is visited for itself

  bool operator==(const CurveSample&) const = default;
};

}  // namespace percycle
