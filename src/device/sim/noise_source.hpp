#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "device/sim/model.hpp"

namespace percycle::sim {

/// The random factors by which the durations of one dispatch differ from the model's; the same for the same dispatch of every run.
class NoiseSource {
 public:
  NoiseSource(const Noise& noise, std::uint64_t dispatch);

  /// 1 + gaussian * N(0, 1), at least 0.2; of outliers outlier_factor times that. 1 where there is no noise.
  double factor();

 private:
  double uniform();

  Noise noise_;
  SplitMix64 random_;
};

}  // namespace percycle::sim
