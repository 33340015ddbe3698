#include "codegen/programs/timed_kernels.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "codegen/programs/recording_device.hpp"

namespace percycle {
namespace {

std::int64_t footprint_of(const Point& point) {
  return point.parameters.contains("footprint") ? integer(point.parameters, "footprint") : 0;
}

std::string without_footprint(Point point) {
  point.parameters.erase("footprint");
  return to_string(point);
}

/// Empty for a copy, which has no kernel, and for a point that cannot be prepared: it says why when it is measured.
std::optional<TimedKernel> compile(Device& device, const Point& point, std::uint64_t seed) {
  try {
    RecordingDevice recording(device.info());
    const Trial trial = find_experiment(point.experiment)->prepare(recording, point, seed);
    if (trial.timed.transfer) return std::nullopt;
    const auto& recorded = dynamic_cast<const RecordedKernel&>(*trial.timed.dispatch.kernel);
    return TimedKernel{device.create(recorded.desc), trial.timed.turn, !trial.timed.groups_per_loop};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

void compile_timed_kernels(Device& device, std::vector<Point> points, std::uint64_t seed,
                           const std::function<bool(TimedKernel)>& take) {
  // A copy makes the bytes that it moves. If the smallest point of a kind has no kernel, the larger ones need not be prepared.
  std::ranges::stable_sort(points, {}, footprint_of);
  std::set<std::string> without_kernel;
  for (const Point& point : points) {
    std::string kind = without_footprint(point);
    if (without_kernel.contains(kind)) continue;
    auto timed = compile(device, point, seed);
    if (!timed) {
      without_kernel.insert(std::move(kind));
    } else if (!take(std::move(*timed))) {
      return;
    }
  }
}

}  // namespace percycle
