#include "sim/noise_source.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percycle::sim {
namespace {

constexpr std::uint64_t kBurstSeed = 0xb0b5;

}  // namespace

NoiseSource::NoiseSource(const Noise& noise, std::uint64_t dispatch)
    : noise_(noise), random_(SplitMix64(noise.seed)() + dispatch) {
  if (noise.burst_share == 0) return;
  SplitMix64 burst(SplitMix64(noise.seed ^ kBurstSeed)() + dispatch / noise.burst_dispatches);
  if (static_cast<double>(burst() >> 11) * 0x1p-53 < noise.burst_share) burst_factor_ = noise.burst_factor;
}

double NoiseSource::factor() {
  double factor = 1;
  if (noise_.gaussian > 0) {
    // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    factor = std::max(0.2, 1 + noise_.gaussian * radius * std::cos(2 * std::numbers::pi * uniform()));
  }
  if (noise_.outlier_share > 0 && uniform() < noise_.outlier_share) factor *= noise_.outlier_factor;
  return factor * burst_factor_;
}

/// In [0, 1).
double NoiseSource::uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

}  // namespace percycle::sim
