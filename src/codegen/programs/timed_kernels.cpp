#include "codegen/programs/timed_kernels.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "codegen/programs/recording_device.hpp"
#include "device/error.hpp"
#include "measure/caching_device.hpp"
#include "platform/all_cores.hpp"

namespace percycle {
namespace {

std::int64_t footprint_of(const Point& point) {
  return point.parameters.contains("footprint") ? integer(point.parameters, "footprint") : 0;
}

std::string without_footprint(Point point) {
  point.parameters.erase("footprint");
  return to_string(point);
}

/// Empty for a copy or another library's work, which have no kernel, and for a point that cannot be
/// prepared: its measurement gives the reason.
std::optional<TimedDesc> describe(const DeviceInfo& device, const Point& point, std::uint64_t seed) {
  try {
    RecordingDevice recording(device);
    const Trial trial = find_experiment(point.experiment)->prepare(recording, point, seed);
    if (trial.timed.transfer || !trial.timed.dispatch.kernel) return std::nullopt;
    const auto& recorded = dynamic_cast<const RecordedKernel&>(*trial.timed.dispatch.kernel);
    TimedDesc made{point, recorded.desc, trial.timed.turn, !trial.timed.groups_per_loop, trial.timed.arithmetic, {}};
    if (trial.timed.optimized) made.optimized = dynamic_cast<const RecordedKernel&>(*trial.timed.optimized).desc;
    if (trial.control && trial.control->dispatch.kernel)
      made.control = dynamic_cast<const RecordedKernel&>(*trial.control->dispatch.kernel).desc;
    return made;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<TimedDesc> timed_kernels(const DeviceInfo& device, std::vector<Point> points, std::uint64_t seed) {
  // A copy allocates the bytes that it moves. If the smallest point of a kind has no kernel, the
  // larger ones need not be prepared.
  std::ranges::stable_sort(points, {}, footprint_of);
  std::set<std::string> without_kernel;
  std::set<std::string> known;
  std::vector<TimedDesc> all;
  for (const Point& point : points) {
    std::string kind = without_footprint(point);
    if (without_kernel.contains(kind)) continue;
    auto timed = describe(device, point, seed);
    if (!timed) {
      without_kernel.insert(std::move(kind));
    } else if (known.insert(kernel_key(timed->desc)).second) {
      all.push_back(std::move(*timed));
    }
  }
  return all;
}

std::vector<TimedKernel> compile(Device& device, std::span<const TimedDesc> wanted, const std::function<void()>& compiled) {
  std::vector<std::shared_ptr<Kernel>> kernels(wanted.size());
  std::vector<std::shared_ptr<Kernel>> optimized(wanted.size());
  std::mutex telling;
  on_all_cores(wanted.size(), [&](std::size_t i) {
    try {
      kernels[i] = device.create(wanted[i].desc);
      if (wanted[i].optimized) optimized[i] = device.create(*wanted[i].optimized);
      if (wanted[i].control) device.create(*wanted[i].control);
    } catch (const DeviceError&) {  // the point's measurement reports it
    }
    const std::scoped_lock lock(telling);
    compiled();
  });
  std::vector<TimedKernel> made;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (kernels[i]) made.push_back({kernels[i], wanted[i].turn, wanted[i].has_loop, wanted[i].arithmetic, optimized[i]});
  }
  return made;
}

}  // namespace percycle
