#include "analysis/known_readings.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "analysis/thresholds.hpp"
#include "core/units.hpp"

namespace percycle {
namespace {

constexpr std::size_t kRememberedReadings = 256;

bool same_rises(const std::vector<Rise>& a, const std::vector<Rise>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Rise& one, const Rise& other) { return one.shape == other.shape && one.onset == other.onset; });
}

CurveReading sharp_edges(CurveReading reading) {
  std::vector<CurveLevel> levels;
  for (auto& level : reading.levels) {
    if (!levels.empty() && level.size < level_thresholds.one_edge * levels.back().size) {
      levels.back().edge_end = level.edge_end;
      levels.back().evidence.push_back("its edge is not sharp, but goes on at " +
                                       format_bytes(static_cast<std::uint64_t>(level.size)));
    } else {
      levels.push_back(std::move(level));
    }
  }
  reading.levels = std::move(levels);
  return reading;
}

}  // namespace

CurveReading known_reading(const std::vector<CurveSample>& curve, const std::vector<Rise>& known) {
  struct KnownCurve {
    std::vector<CurveSample> curve;
    std::vector<Rise> rises;
    CurveReading reading;
  };
  // Shared, not thread_local: mingw-w64 frees thread_local memory before it calls the destructors.
  static std::mutex guard;
  static std::deque<KnownCurve> memory;  // newest first
  {
    const std::lock_guard lock(guard);
    const auto found = std::find_if(memory.begin(), memory.end(), [&](const KnownCurve& entry) {
      return entry.curve == curve && same_rises(entry.rises, known);
    });
    if (found != memory.end()) return found->reading;
  }
  CurveReading reading = sharp_edges(read_curve(curve, known));
  const std::lock_guard lock(guard);
  memory.push_front({curve, known, reading});
  if (memory.size() > kRememberedReadings) memory.pop_back();
  return reading;
}

}  // namespace percycle
