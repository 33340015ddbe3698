#include "experiments/chases/parts/level_chains.hpp"

#include <algorithm>

#include "analysis/known_readings.hpp"
#include "analysis/path_curve.hpp"
#include "vocabulary/latency.hpp"

namespace percycle {
namespace {

// One chain must fit even if the level is a tenth smaller than found, and two must not fit.
constexpr double kShareOfLevel = 0.7;
constexpr std::uint64_t kFewestNodes = 4;

/// The stride of the path's latency points.
std::uint64_t latency_stride(std::span<const PointResult> done, const std::string& path) {
  const auto found = std::find_if(done.begin(), done.end(), [&](const PointResult& result) {
    return result.point.experiment == experiment::kLatency && word(result.point.parameters, parameter::kPath) == path &&
           !result.point.parameters.contains(parameter::kDivisor);
  });
  return found == done.end() ? LevelChain{}.stride_bytes
                             : static_cast<std::uint64_t>(integer(found->point.parameters, parameter::kStride));
}

}  // namespace

std::vector<LevelChain> level_chains(std::span<const PointResult> done, const std::string& path) {
  const std::uint64_t stride = latency_stride(done, path);
  std::vector<LevelChain> chains;
  for (const auto& level : known_reading(path_curves(done, path).best()).levels) {
    const auto nodes = static_cast<std::uint64_t>(kShareOfLevel * level.size / static_cast<double>(stride));
    chains.push_back({std::max(nodes, kFewestNodes) * stride, stride});
  }
  return chains;
}

}  // namespace percycle
