#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "core/timed_sample.hpp"
#include "store/impossible.hpp"
#include "store/impossible_clocks.hpp"
#include "vocabulary/chases.hpp"

namespace percycle {
namespace {

using Sentence = std::optional<std::string>;
using PointRule = Sentence (*)(const Header&, const PointResult&);

// A host that waits sees every dispatch end after the device does. Their clocks differ by less.
constexpr double kClocksOfTwoMachines = 1.01;
// The hottest that silicon, and the most that a slot with its power supply, ever reported.
constexpr double kLeastC = -60;
constexpr double kMostC = 150;
constexpr double kMostW = 5000;

Sentence too_many_units(const Header& header, const PointResult& result) {
  if (!header.device.units) return {};
  const auto& samples = result.measurement->samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].groups && samples[i].groups->units.value_or(0) > header.device.units->value)
      return fmt::format("measurement.samples[{}].groups.units: {} units ran it, but the device has {}", i,
                         *samples[i].groups->units, header.device.units->value);
  }
  return {};
}

Sentence nothing_verified(const Header&, const PointResult& result) {
  if (result.measurement->verified_samples > 0) return {};
  return "measurement.verified_samples: 0, so no result was checked";
}

Sentence device_above_host(const Header&, const PointResult& result) {
  if (result.measurement->time_source != kDeviceTimer) return {};
  const auto& samples = result.measurement->samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Timing& timing = samples[i].timing;
    if (timing.device_ns && *timing.device_ns > timing.host_ns * kClocksOfTwoMachines)
      return fmt::format("measurement.samples[{}].device_ns: {} ns by the device timer, but the host waited {} ns", i,
                         *timing.device_ns, timing.host_ns);
  }
  return {};
}

Sentence samples_above_point(const Header&, const PointResult& result) {
  double ns = 0;
  for (const auto* samples : {&result.measurement->samples, &result.measurement->control_samples})
    for (const Sample& sample : *samples) ns += sample.timing.host_ns;
  if (!result.seconds || ns / 1e9 <= *result.seconds * kClocksOfTwoMachines) return {};
  return fmt::format("seconds: {} for the point, but its samples alone took {} s", *result.seconds, ns / 1e9);
}

Sentence unreal_telemetry(const Header&, const PointResult& result) {
  const auto& telemetry = result.measurement->telemetry;
  for (std::size_t i = 0; i < telemetry.size(); ++i) {
    const TelemetryReading& reading = telemetry[i].reading;
    if (const auto celsius = reading.temperature_c; celsius && (*celsius < kLeastC || *celsius > kMostC))
      return fmt::format("measurement.telemetry[{}].temperature_c: {} is outside {} to {}", i, *celsius, kLeastC, kMostC);
    if (const auto watts = reading.power_w; watts && (*watts < 0 || *watts > kMostW))
      return fmt::format("measurement.telemetry[{}].power_w: {} is outside 0 to {}", i, *watts, kMostW);
  }
  return {};
}

Sentence below_stride(const Header&, const PointResult& result) {
  const auto footprint = find_integer(result.point.parameters, parameter::kFootprint);
  const auto stride = find_integer(result.point.parameters, parameter::kStride);
  if (!footprint || !stride || *footprint >= *stride) return {};
  return fmt::format("parameters.footprint: {} is less than the stride of {}", *footprint, *stride);
}

Sentence above_memory(const Header& header, const PointResult& result) {
  const auto footprint = find_integer(result.point.parameters, parameter::kFootprint);
  const bool is_local = has_word(result.point.parameters, parameter::kPath, "local");
  const auto memory = is_local ? std::optional(header.device.local_memory_bytes) : header.device.memory_bytes;
  if (!footprint || memory.value_or(0) == 0 || static_cast<std::uint64_t>(*footprint) <= *memory) return {};
  return fmt::format("parameters.footprint: {} is more than the {}memory it is in ({} bytes)", *footprint,
                     is_local ? "local " : "", *memory);
}

/// The table: each line is one thing that cannot be.
constexpr std::array<PointRule, 9> kPointRules{
    too_many_units,       nothing_verified, device_above_host, samples_above_point, impossible_clock,
    contradicting_clocks, unreal_telemetry, below_stride,      above_memory,
};

}  // namespace

std::vector<std::string> impossible_numbers(const Header& header, const PointResult& result) {
  std::vector<std::string> sentences;
  if (result.outcome.status != Status::ok || !result.measurement || is_published(*result.measurement)) return sentences;
  for (const PointRule& rule : kPointRules) {
    if (Sentence sentence = rule(header, result)) sentences.push_back(std::move(*sentence));
  }
  return sentences;
}

}  // namespace percycle
