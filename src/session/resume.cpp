#include "session/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/error.hpp"
#include "device/identity.hpp"
#include "device/selector.hpp"
#include "platform/host.hpp"
#include "store/runs.hpp"

namespace percycle {
namespace {

bool is_finished(Status status, bool retry) { return status != Status::skipped && !(retry && status == Status::failed); }

PointResult abandoned(const Point& point) {
  return {point,
          {Status::failed, "the run ended while this point was under way (a crash or a power cut); --retry measures it again"},
          std::nullopt};
}

}  // namespace

std::vector<DeviceRun> finished_runs(const LoadedFile& file, bool retry) {
  std::vector<DeviceRun> device_runs;
  for (const Run& run : runs(file)) {
    if (run.header->published()) {
      throw UsageError(fmt::format("{}: holds figures that others published; --resume continues a run", file.path.string()));
    }
    if (!(run.header->options == file.headers.front().options)) {
      throw UsageError(fmt::format("{}: holds runs of different options; --resume continues one run", file.path.string()));
    }
    DeviceRun& device_run = device_runs.emplace_back(DeviceRun{*run.header, {}, {}});
    for (const PointHistory& point : run.points) {
      if (point.last == PointHistory::Last::started) {
        if (!retry) device_run.abandoned.push_back(abandoned(*point.point));
      } else if (point.result != nullptr && is_finished(point.result->outcome.status, retry)) {
        device_run.done.add(*point.result);
      }
    }
  }
  return device_runs;
}

void match_devices(std::vector<DeviceRun>& runs, const Enumeration& enumeration, const std::string& kernels_hash) {
  const auto cards = group_by_card(enumeration.devices, host_cpu_name());
  std::set<std::string> taken;
  for (auto& run : runs) {
    const auto& before = run.header.device;
    const auto name = fmt::format("'{}' through {}", before.name, to_string(before.api));
    const auto fits = [&](const DeviceInfo& now) {
      if (taken.contains(selector(now))) return false;
      // A simulated device is its model; a changed text is found by the driver's hash.
      if (run.header.simulated()) return selector(now) == selector(before);
      return now.api == before.api && now.name == before.name && card_identity(cards, now) == run.header.identity;
    };
    const auto found = std::find_if(enumeration.devices.begin(), enumeration.devices.end(), fits);
    if (found == enumeration.devices.end()) throw UsageError(fmt::format("--resume: the device {} was not found", name));
    if (found->driver != before.driver && run.header.simulated()) {
      throw UsageError(fmt::format("--resume: the model behind {} changed: start a new run", selector(before)));
    }
    if (found->driver != before.driver) {
      throw UsageError(
          fmt::format("--resume: the driver of {} changed from {} to {}: start a new run", name, before.driver, found->driver));
    }
    if (run.header.kernels_hash != kernels_hash) {
      throw UsageError(fmt::format("--resume: the kernels changed since this run was started (percycle {}): start a new run",
                                   run.header.tool_version));
    }
    taken.insert(selector(*found));
    run.header.device = *found;
  }
}

}  // namespace percycle
