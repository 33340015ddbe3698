#include "analysis/known_readings.hpp"

#include <algorithm>
#include <deque>

namespace percycle {
namespace {

constexpr std::size_t kRemembered = 32;

struct Known {
  std::vector<CurveSample> curve;
  CurveReading reading;
};

}  // namespace

CurveReading known_reading(const std::vector<CurveSample>& curve) {
  thread_local std::deque<Known> known;
  const auto found = std::find_if(known.begin(), known.end(), [&](const Known& one) { return one.curve == curve; });
  if (found != known.end()) return found->reading;
  known.push_front({curve, read_curve(curve)});
  if (known.size() > kRemembered) known.pop_back();
  return known.front().reading;
}

}  // namespace percycle
