#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// Random factors on the durations of dispatches; the same for the same dispatch of every run.
class NoiseSource {
 public:
  NoiseSource(const Noise& noise, std::uint64_t dispatch);

  /// 1 + gaussian * N(0, 1), at least 0.2; outliers times outlier_factor, all of
  /// a burst times burst_factor. 1 without noise.
  double factor();

 private:
  double uniform();

  Noise noise_;
  SplitMix64 random_;
  double burst_factor_ = 1;
};

}  // namespace percycle::sim
