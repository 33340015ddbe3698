#include "session/device_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/units.hpp"
#include "limits/agreed_units.hpp"
#include "limits/architecture.hpp"
#include "limits/limits.hpp"
#include "measure/kernel_check.hpp"
#include "measure/subgroup_check.hpp"
#include "measure/unit_count.hpp"

namespace percycle {
namespace {

constexpr double kSure = 0.9;

DeviceCheck timer_check(const Device& device, const TimerCheck& timer) {
  if (!timer.fault().empty()) return {"timer", CheckVerdict::doubtful, timer.fault()};
  if (!device.info().timer_period_ns) return {"timer", CheckVerdict::missing, "the driver has none, so the host's clock counts"};
  if (std::string doubt = timer.doubt(); !doubt.empty()) return {"timer", CheckVerdict::doubtful, std::move(doubt)};
  return {"timer", CheckVerdict::good, "its rate is the host clock's within 5 %"};
}

std::optional<DeviceCheck> loop_check(const Device& device) {
  const auto most = device.info().max_loop_iterations;
  if (!most) return std::nullopt;
  return DeviceCheck{"loops", CheckVerdict::missing,
                     fmt::format("a loop ends after {} turns, so long points are several dispatches or unsupported", *most)};
}

DeviceCheck subgroup_check(Device& device, CorrectedDevice& corrected, DeviceChecks& checked) {
  constexpr const char* kName = "subgroup size";
  if (device.info().subgroup_sizes.empty()) return {kName, CheckVerdict::missing, "the driver states none"};
  std::string warning = correct_subgroup_size(device, corrected);
  if (warning.empty()) return {kName, CheckVerdict::good, fmt::format("{}", fmt::join(device.info().subgroup_sizes, ", "))};
  checked.subgroup_size = device.info().subgroup_sizes.front();
  checked.warnings.push_back(warning);
  return {kName, CheckVerdict::doubtful, std::move(warning)};
}

/// Both counts are of units of the architecture, or both of the driver's own kind.
bool agree(std::uint32_t counted, std::uint32_t own, const std::optional<std::uint32_t>& units) {
  return counted == own || counted == units;
}

/// The units by time, or why time does not show them.
std::variant<CountedUnits, std::string> units_by_time(Device& device) {
  try {
    if (const auto counted = counted_units(device)) return *counted;
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
    return error.what();
  } catch (const std::invalid_argument& error) {  // a rule of the Device interface
    return error.what();
  }
  return "a work-group does not fill a unit";
}

DeviceCheck unit_check(Device& device, CorrectedDevice& corrected, DeviceChecks& checked) {
  constexpr const char* kName = "units";
  const DeviceInfo& info = device.info();
  const auto by_time = units_by_time(device);
  const auto* counted = std::get_if<CountedUnits>(&by_time);
  const auto units = unit_count(info, recognise(info)).count;
  const auto listed = catalogue_units(limits_catalogue(), {.identity = "", .devices = {info}});
  const std::string stated = (info.units ? fmt::format("{} by the driver", info.units->value) : "the driver states none") +
                             (listed ? fmt::format(", {} by the catalogue", *listed) : "");
  const bool contradicts = units && listed && units->value != *listed;
  if (counted == nullptr) {
    return {kName, contradicts ? CheckVerdict::doubtful : CheckVerdict::missing,
            fmt::format("{}; not counted by time: {}", stated, std::get<std::string>(by_time))};
  }
  if (!info.units) return {kName, CheckVerdict::missing, fmt::format("{}, {} by time", stated, counted->count)};
  if (agree(counted->count, info.units->value, units ? std::optional(units->value) : std::nullopt))
    return {kName, CheckVerdict::good, fmt::format("{}, {} by time", stated, counted->count)};
  if (counted->confidence < kSure)
    return {kName, contradicts ? CheckVerdict::doubtful : CheckVerdict::missing,
            fmt::format("{}; the times show no clear number (about {})", stated, counted->count)};
  // The driver may count parts of a unit, such as the compute units of a WGP.
  const bool is_whole = units && units->value == info.units->value;
  if (info.type == DeviceType::cpu)
    return {kName, CheckVerdict::missing, fmt::format("{}, {} by time: other programs use a CPU, too", stated, counted->count)};
  if (!is_whole) return {kName, CheckVerdict::doubtful, fmt::format("{}, but {} by time", stated, counted->count)};
  corrected.set_units({counted->count, Provenance::measured_by_time});
  checked.units = counted->count;
  checked.warnings.push_back(fmt::format("units: {}, but {} by time, so percycle used these", stated, counted->count));
  return {kName, CheckVerdict::doubtful, fmt::format("{}, but {} by time, so percycle used these", stated, counted->count)};
}

/// Whether the device gives these buffers at once, and they take bytes at their ends.
bool gives(Device& device, const std::vector<std::uint64_t>& sizes) {
  constexpr std::uint64_t kEnd = 64;
  const std::array<std::byte, kEnd> sent{std::byte{1}};
  std::array<std::byte, kEnd> got{};
  std::vector<std::shared_ptr<Buffer>> buffers;
  try {
    for (const std::uint64_t bytes : sizes) {
      buffers.push_back(device.create(BufferDesc{bytes}));
      (void)device.write(*buffers.back(), bytes - kEnd, sent);
      got = {};
      (void)device.read(*buffers.back(), bytes - kEnd, got);
      if (sent != got) return false;
    }
    return true;
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
  } catch (const std::invalid_argument&) {  // a rule of the Device interface
  }
  return false;
}

constexpr std::uint64_t kBufferGranule = 256;

std::uint64_t whole_granules(std::uint64_t bytes) { return bytes / kBufferGranule * kBufferGranule; }

/// The largest buffer that a sweep of `run` asks for: a quarter of the memory (chase_capacity()),
/// bounded by what takes long to clear. Memory of the host is cleared slowly.
std::uint64_t longest_reach(const DeviceInfo& info) {
  constexpr std::uint64_t kMostOfCard = 16 * kGiB;
  constexpr std::uint64_t kMostOfHost = kGiB;
  return std::min(info.memory_bytes.value_or(UINT64_MAX) / 4, info.shares_host_memory ? kMostOfHost : kMostOfCard);
}

/// The largest buffer that the device gives, found by halves from the largest allocation that the
/// driver states. Unless `whole`, it ends where sweeps do and stands beside one of half its size,
/// because bandwidths need several. A smaller one becomes the largest allocation.
DeviceCheck memory_check(Device& device, CorrectedDevice& corrected, DeviceChecks& checked, bool whole) {
  constexpr const char* kName = "largest buffer";
  constexpr std::uint64_t kLeast = kMiB;
  const std::uint64_t stated = device.info().max_allocation_bytes.value_or(0);
  if (stated < kLeast) return {kName, CheckVerdict::missing, "the driver states none"};
  const std::uint64_t tried = whole_granules(whole ? stated : std::min(stated, longest_reach(device.info())));
  const auto fits = [&](std::uint64_t bytes) {
    return gives(device, whole ? std::vector{bytes} : std::vector{bytes, whole_granules(bytes / 2)});
  };
  std::uint64_t bytes = tried;
  while (bytes >= kLeast && !fits(bytes)) bytes = whole_granules(bytes / 2);
  if (bytes == tried)
    return {kName, CheckVerdict::good,
            fmt::format("{}{}", format_bytes(bytes), tried < whole_granules(stated) ? " or more" : "")};
  if (bytes >= kLeast) {
    checked.max_allocation_bytes = bytes;
    corrected.limit_allocation(bytes);
  }
  return {kName, CheckVerdict::doubtful,
          fmt::format("the driver states {}, but gives {}: sweeps end earlier", format_bytes(stated),
                      bytes < kLeast ? "none" : format_bytes(bytes))};
}

/// The check of a device whose kernels end with wrong results, which all others would read.
DeviceCheck kernel_fault() {
  return {std::string(kKernelCheck), CheckVerdict::doubtful,
          "a kernel ends with a wrong result or never runs, so timer, subgroup size and units are not checked"};
}

}  // namespace

DeviceChecks check_device(Device& device, CorrectedDevice& corrected, TimerCheck& timer, bool tries_memory,
                          const CheckBegins& before) {
  DeviceChecks checked;
  const bool is_real = device.info().api != Api::sim;
  before(std::string(kKernelCheck), checked);
  if (is_real && !runs_kernels(device)) {
    checked.checks.push_back(kernel_fault());
    before("largest buffer", checked);
    if (tries_memory) checked.checks.push_back(memory_check(device, corrected, checked, tries_memory));
    return checked;
  }
  before("timer", checked);
  timer.start();
  if (is_real) checked.checks.push_back(timer_check(device, timer));
  if (auto loops = loop_check(device)) checked.checks.push_back(std::move(*loops));
  before("subgroup size", checked);
  if (is_real) checked.checks.push_back(subgroup_check(device, corrected, checked));
  before("units", checked);
  checked.checks.push_back(unit_check(device, corrected, checked));
  before("largest buffer", checked);
  if (is_real || tries_memory) checked.checks.push_back(memory_check(device, corrected, checked, tries_memory));
  return checked;
}

}  // namespace percycle
