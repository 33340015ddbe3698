#include "experiments/common/sweep.hpp"

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
    // Octaves are exact, so that a grid from a power of two contains all powers of two.
    const double size = std::ldexp(static_cast<double>(min), static_cast<int>(i / per_octave)) *
                        std::exp2(static_cast<double>(i % per_octave) / per_octave);
    if (size >= static_cast<double>(max)) break;
    add(static_cast<std::uint64_t>(size));
  }
  add(max);
  return sizes;
}

std::vector<std::uint64_t> every_second(const std::vector<std::uint64_t>& sizes) {
  std::vector<std::uint64_t> some;
  for (std::size_t i = (sizes.size() + 1) % 2; i < sizes.size(); i += 2) some.push_back(sizes[i]);
  return some;
}

std::vector<std::uint64_t> refine(std::span<const CurvePoint> curve, const RefineRule& rule) {
  struct Gap {
    double step;
    std::uint64_t middle;
  };
  std::vector<Gap> gaps;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto& low = curve[i - 1];
    const auto& high = curve[i];
    const double step = (std::abs(high.value - low.value) - 3 * (low.noise + high.noise)) / std::min(low.value, high.value);
    const double ratio = static_cast<double>(high.size) / static_cast<double>(low.size);
    if (step <= rule.step || ratio <= rule.finest_ratio) continue;
    auto middle = static_cast<std::uint64_t>(static_cast<double>(low.size) * std::sqrt(ratio));
    middle -= middle % rule.multiple;
    if (middle > low.size && middle < high.size) gaps.push_back({step, middle});
  }
  std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.step > b.step; });
  if (gaps.size() > rule.most) gaps.resize(rule.most);
  std::vector<std::uint64_t> sizes;
  for (const auto& gap : gaps) sizes.push_back(gap.middle);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace percycle
