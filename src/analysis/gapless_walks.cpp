#include "analysis/gapless_walks.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/geometry.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kMostGaps = 4;

/// The curve between its places; empty outside of it.
std::optional<double> latency_at(std::span<const CurveSample> curve, double bytes) {
  const auto above = std::find_if(curve.begin(), curve.end(), [&](const CurveSample& sample) { return sample.bytes >= bytes; });
  if (above == curve.end() || above == curve.begin()) return std::nullopt;
  const auto& below = *std::prev(above);
  const double share = std::log(bytes / below.bytes) / std::log(above->bytes / below.bytes);
  return below.value + share * (above->value - below.value);
}

/// The walk for this level; nullptr if there is none. Earlier readings planned others.
const GaplessWalk* walk_of(const AskedLevel& level, std::uint64_t divisor) {
  const GaplessWalk* nearest = nullptr;
  double least = std::log(hierarchy_thresholds.same_size);
  for (const auto& walk : level.curves.gapless) {
    const double apart = std::abs(std::log(walk.bytes * static_cast<double>(divisor) / (kFilled * level.size)));
    if (walk.divisor != static_cast<std::int64_t>(divisor) || apart > least) continue;
    least = apart;
    nearest = &walk;
  }
  return nearest;
}

/// Whether a walk fits the level; empty if noise could make it seem otherwise. A TLB slows the
/// sweep at that footprint as much.
std::optional<bool> fits(const AskedLevel& level, const GaplessWalk& walk) {
  const auto with_gaps = latency_at(level.curves.random, walk.bytes);
  if (!with_gaps || level.miss <= level.hit) return std::nullopt;
  const double share = (walk.value - *with_gaps) / (level.miss - level.hit);
  const double error = level_thresholds.drift_errors * walk.error / (level.miss - level.hit);
  if (share + error < geometry_thresholds.hit) return true;
  if (share - error > geometry_thresholds.hit) return false;
  return std::nullopt;
}

}  // namespace

AskedLevel asked_level(const PathCurves& curves, const CurveReading& reading, std::size_t level) {
  const bool is_last = level + 1 == reading.levels.size();
  const double miss = is_last ? reading.memory_latency.value_or(0) : reading.levels[level + 1].latency;
  return {curves, reading.levels[level].size, reading.levels[level].latency, miss};
}

std::optional<std::uint64_t> walked_gaps(const AskedLevel& level) {
  for (std::uint64_t divisor = 1; divisor <= kMostGaps; divisor *= 2) {
    const GaplessWalk* walk = walk_of(level, divisor);
    const auto fit = walk == nullptr ? std::nullopt : fits(level, *walk);
    if (!fit) return std::nullopt;
    if (*fit) return divisor;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> next_divisor(const AskedLevel& level) {
  for (std::uint64_t divisor = 1; divisor <= kMostGaps; divisor *= 2) {
    const GaplessWalk* walk = walk_of(level, divisor);
    if (walk == nullptr) return divisor;
    if (fits(level, *walk).value_or(true)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace percycle
