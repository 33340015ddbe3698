#include "experiments/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace percycle {

std::vector<std::uint64_t> octave_grid(std::uint64_t min, std::uint64_t max, unsigned per_octave, std::uint64_t multiple) {
  if (min == 0 || per_octave == 0 || multiple == 0 || min > max) throw std::invalid_argument("octave_grid: empty or zero range");
  std::vector<std::uint64_t> sizes;
  const auto add = [&](std::uint64_t size) {
    size -= size % multiple;
    if (size >= min && (sizes.empty() || size > sizes.back())) sizes.push_back(size);
  };
  for (unsigned i = 0;; ++i) {
    // Whole octaves exactly, so that powers of two are always in the grid of a power of two.
    const double size = std::ldexp(static_cast<double>(min), static_cast<int>(i / per_octave)) *
                        std::exp2(static_cast<double>(i % per_octave) / per_octave);
    if (size >= static_cast<double>(max)) break;
    add(static_cast<std::uint64_t>(size));
  }
  add(max);
  return sizes;
}

std::vector<std::uint64_t> refine(std::span<const CurvePoint> curve, const RefineRule& rule) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto& [low_size, low] = curve[i - 1];
    const auto& [high_size, high] = curve[i];
    if (std::abs(high - low) <= rule.step * std::min(low, high)) continue;
    const double ratio = static_cast<double>(high_size) / static_cast<double>(low_size);
    if (ratio <= rule.finest_ratio) continue;
    auto middle = static_cast<std::uint64_t>(static_cast<double>(low_size) * std::sqrt(ratio));
    middle -= middle % rule.multiple;
    if (middle > low_size && middle < high_size) sizes.push_back(middle);
  }
  return sizes;
}

}  // namespace percycle
