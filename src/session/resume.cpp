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

std::string text_of(const std::optional<std::uint64_t>& number) { return number ? fmt::format("{}", *number) : "unknown"; }

/// Throws if the system, or units or memory of the device, are not those of the run: a machine or a
/// part of a GPU was set up anew.
void refuse_change(const Header& header, const DeviceInfo& now, const std::string& os, const std::string& name) {
  const auto refuse_unless_equal = [&](const std::string& what, const std::string& before, const std::string& after) {
    if (before != after)
      throw UsageError(fmt::format("--resume: {} changed from {} to {}: start a new run", what, before, after));
  };
  const auto units = [](const DeviceInfo& device) {
    return text_of(device.units ? std::optional<std::uint64_t>(device.units->value) : std::nullopt);
  };
  refuse_unless_equal("the system", header.os, os);
  refuse_unless_equal("the units of " + name, header.reported_units ? text_of(*header.reported_units) : units(header.device),
                      units(now));
  refuse_unless_equal("the memory (bytes) of " + name, text_of(header.device.memory_bytes), text_of(now.memory_bytes));
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

void match_devices(std::vector<DeviceRun>& runs, const Enumeration& enumeration, const std::string& kernels_hash,
                   const std::string& os) {
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
    if (!run.header.simulated()) refuse_change(run.header, *found, os, name);
    if (run.header.kernels_hash != kernels_hash) {
      throw UsageError(fmt::format("--resume: the kernels changed since this run was started (percycle {}): start a new run",
                                   run.header.tool_version));
    }
    taken.insert(selector(*found));
    DeviceInfo now = *found;
    if (run.header.reported_units) now.units = before.units;
    // A check may have found that the device gives less than its driver states.
    if (before.max_allocation_bytes && now.max_allocation_bytes)
      now.max_allocation_bytes = std::min(*before.max_allocation_bytes, *now.max_allocation_bytes);
    run.header.device = std::move(now);
  }
}

}  // namespace percycle
