#pragma once

#include <cstdint>

namespace percycle {

/// One measured point of a latency curve.
struct CurveSample {
  double bytes = 0;  ///< footprint of the data walked
  double value = 0;  ///< latency, cycles or ns
  double error = 0;  ///< standard error of the value; 0 if unknown
  /// Size of a group of neighbours visited together; 0 if nodes are visited one by one.
  double together_bytes = 0;

  bool operator==(const CurveSample&) const = default;
};

}  // namespace percycle
