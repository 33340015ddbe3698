#include "analysis/instruction_caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "analysis/known_readings.hpp"
#include "analysis/seen_level.hpp"
#include "core/units.hpp"
#include "stats/summary.hpp"
#include "vocabulary/instruction_cache.hpp"

namespace percycle {
namespace {

/// Bytes of a program's machine code; empty if they are unknown.
std::optional<double> code_bytes(const Measurement& measurement) {
  if (const auto found = measurement.observed.find(kObservedCodeBytes); found != measurement.observed.end()) {
    double bytes = 0;
    const auto& text = found->second;
    if (std::from_chars(text.data(), text.data() + text.size(), bytes).ec == std::errc() && bytes > 0) return bytes;
  }
  if (measurement.codegen && measurement.codegen->code_bytes) return static_cast<double>(*measurement.codegen->code_bytes);
  return std::nullopt;
}

/// The points of one scope, by the instructions of a block.
using Curves = std::map<std::int64_t, std::vector<CurveSample>>;

/// One curve of all programs: that of short blocks, and beyond its end that of long ones.
std::vector<CurveSample> joined(Curves curves) {
  std::vector<CurveSample> all;
  for (auto& [block, curve] : curves) {
    std::sort(curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    const double end = all.empty() ? 0 : all.back().bytes;
    std::copy_if(curve.begin(), curve.end(), std::back_inserter(all),
                 [end](const auto& each) { return each.bytes > end * 1.01; });
  }
  return all;
}

}  // namespace

InstructionCaches read_instruction_caches(std::span<const PointResult> results) {
  std::map<std::string, Curves> scopes;
  InstructionCaches found;
  bool unknown_length = false;
  bool cycles = true;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kInstructionCache || !result.measurement) continue;
    cycles = cycles && result.measurement->statistics.contains("net_cycles_per_op");
  }
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kInstructionCache || !result.measurement) continue;
    const auto& statistics = result.measurement->statistics;
    const auto net = statistics.find(cycles ? "net_cycles_per_op" : "net_ns_per_op");
    const auto* scope = find_word(result.point.parameters, parameter::kScope);
    const auto block = find_integer(result.point.parameters, parameter::kBlockLength);
    const auto blocks = find_integer(result.point.parameters, parameter::kRunBlocks);
    if (net == statistics.end() || scope == nullptr || !block || !blocks || net->second.median <= 0) continue;
    const auto bytes = code_bytes(*result.measurement);
    if (!bytes) {
      unknown_length = true;
      continue;
    }
    // Code before and after the blocks is short beside a program of 64 KiB or more.
    const double length = *bytes * static_cast<double>(*blocks) / kProgramBlocks;
    scopes[*scope][*block].push_back({length, net->second.median, median_error(net->second)});
  }
  for (auto& [scope, curves] : scopes) {
    const auto curve = joined(std::move(curves));
    const CurveReading reading = known_reading(curve);
    for (std::size_t i = 0; i < reading.levels.size(); ++i) {
      const CurveLevel& level = reading.levels[i];
      const double beyond = i + 1 < reading.levels.size() ? reading.levels[i + 1].latency : reading.memory_latency.value_or(0);
      found.levels.push_back(
          {scope, whole(level.size), whole(level.size_low), whole(level.size_high), level.latency, beyond, level.confidence});
      for (const std::string& line : level.evidence) found.evidence.push_back(fmt::format("{}: {}", scope, line));
    }
    found.evidence.push_back(fmt::format("{}: code of {} to {}", scope, format_bytes(whole(curve.front().bytes)),
                                         format_bytes(whole(curve.back().bytes))));
  }
  if (unknown_length) found.evidence.emplace_back("the machine code of some points was not read: they give no size");
  return found;
}

}  // namespace percycle
