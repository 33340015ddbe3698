#include "session/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "device/identity.hpp"

namespace percycle {

std::vector<DeviceRun> finished_runs(const LoadedFile& file, bool retry) {
  std::vector<DeviceRun> runs;
  for (const auto& header : file.headers) {
    if (!(header.options == file.headers.front().options)) {
      throw UsageError(fmt::format("{}: holds runs of different options; --resume continues one run", file.path.string()));
    }
    runs.push_back({header, {}, {}});
  }
  const auto run_of = [&](const std::string& id) -> DeviceRun& {
    return *std::find_if(runs.begin(), runs.end(), [&](const DeviceRun& run) { return run.header.id == id; });
  };
  std::map<std::pair<std::string, std::string>, Point> under_way;
  for (const auto& record : file.records) {
    if (const auto* started = std::get_if<Started>(&record)) {
      under_way[{started->header, to_string(started->point)}] = started->point;
    } else if (const auto* interrupted = std::get_if<Interrupted>(&record)) {
      under_way.erase({interrupted->header, to_string(interrupted->point)});
    } else if (const auto* point = std::get_if<PointRecord>(&record)) {
      under_way.erase({point->header, to_string(point->result.point)});
      run_of(point->header).done[to_string(point->result.point)] = point->result;
    }
  }
  for (auto& run : runs) {
    std::erase_if(run.done, [&](const auto& entry) {
      const Status status = entry.second.outcome.status;
      return status == Status::skipped || (retry && status == Status::failed);
    });
  }
  for (const auto& [key, point] : under_way) {
    if (retry) break;
    run_of(key.first).abandoned.push_back(
        {point,
         {Status::failed, "the run ended while this point was under way (a crash or a power cut); --retry measures it again"},
         std::nullopt});
  }
  return runs;
}

void match_devices(std::vector<DeviceRun>& runs, const Enumeration& enumeration, const std::string& kernels_hash) {
  const auto cards = group_by_card(enumeration.devices, host_cpu_name());
  std::set<std::pair<Api, std::uint32_t>> taken;
  for (auto& run : runs) {
    const auto& before = run.header.device;
    const auto what = fmt::format("'{}' through {}", before.name, to_string(before.api));
    const auto fits = [&](const DeviceInfo& now) {
      return now.api == before.api && now.name == before.name && card_identity(cards, now) == run.header.identity &&
             !taken.contains({now.api, now.index});
    };
    const auto found = std::find_if(enumeration.devices.begin(), enumeration.devices.end(), fits);
    if (found == enumeration.devices.end()) throw UsageError(fmt::format("--resume: the device {} is not here any more", what));
    if (found->driver != before.driver) {
      throw UsageError(
          fmt::format("--resume: the driver of {} changed from {} to {}: start a new run", what, before.driver, found->driver));
    }
    if (run.header.kernels_hash != kernels_hash) {
      throw UsageError(fmt::format("--resume: the kernels changed since this run was started (percycle {}): start a new run",
                                   run.header.tool_version));
    }
    taken.insert({found->api, found->index});
    run.header.device = *found;
  }
}

}  // namespace percycle
