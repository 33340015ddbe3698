#include "analysis/second_looks.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

/// Whether one latency exceeds another by more than noise and drift.
bool exceeds(const CurveSample& one, const CurveSample& other) {
  return one.value > (1 + second_look_thresholds.share) * other.value &&
         one.value - other.value > second_look_thresholds.errors * std::hypot(one.error, other.error);
}

/// Faster than the next place and each of the last three. If only some of these are slower, they
/// are wrong.
bool is_faster_than_both(std::span<const CurveSample> curve, std::size_t i) {
  if (i == 0 || i + 1 >= curve.size() || !exceeds(curve[i + 1], curve[i])) return false;
  const auto before = curve.first(i).last(std::min(static_cast<std::size_t>(second_look_thresholds.neighbours), i));
  return std::all_of(before.begin(), before.end(), [&](const CurveSample& other) { return exceeds(other, curve[i]); });
}

bool is_slower_than_larger(std::span<const CurveSample> curve, std::size_t i) {
  const auto larger =
      curve.subspan(i + 1, std::min(static_cast<std::size_t>(second_look_thresholds.neighbours), curve.size() - i - 1));
  for (std::size_t k = 0; k < larger.size(); ++k) {
    if (exceeds(curve[i], larger[k]) && !is_faster_than_both(curve, i + 1 + k)) return true;
  }
  return false;
}

}  // namespace

std::vector<double> contradicted(std::span<const CurveSample> curve) {
  std::vector<double> found;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (is_slower_than_larger(curve, i) || is_faster_than_both(curve, i)) found.push_back(curve[i].bytes);
  }
  return found;
}

std::vector<CurveSample> with_second_looks(std::vector<CurveSample> curve, std::span<const CurveSample> looks) {
  std::vector<CurveSample> result = curve;
  for (const auto& look : looks) {
    const auto first =
        std::find_if(curve.begin(), curve.end(), [&](const CurveSample& sample) { return sample.bytes == look.bytes; });
    if (first == curve.end()) continue;
    const auto place = static_cast<std::size_t>(first - curve.begin());
    if (look.value < first->value || is_faster_than_both(curve, place)) result[place] = look;
  }
  return result;
}

}  // namespace percycle
