#include "analysis/instruction_caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "analysis/code_stairs.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/thresholds.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "stats/summary.hpp"
#include "vocabulary/instruction_cache.hpp"

namespace percycle {
namespace {

/// The points of one scope, by the instructions of a block.
using Curves = std::map<std::int64_t, std::vector<CurveSample>>;

/// One curve of all programs: the curve of short blocks, continued by the curve of long blocks.
std::vector<CurveSample> joined(Curves curves) {
  std::vector<CurveSample> all;
  for (auto& [block, curve] : curves) {
    std::sort(curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    const double end = all.empty() ? 0 : all.back().bytes;
    std::copy_if(curve.begin(), curve.end(), std::back_inserter(all),
                 [end](const auto& each) { return each.bytes > end * stair_thresholds.finest; });
  }
  return all;
}

double confidence_of(const CodeStairs& stairs) { return 1 / (1 + stairs.misfit / stair_thresholds.typical_misfit); }

}  // namespace

std::optional<double> program_bytes(const Measurement& measurement) {
  if (const auto found = measurement.observed.find(kObservedCodeBytes); found != measurement.observed.end()) {
    double bytes = 0;
    const auto& text = found->second;
    if (std::from_chars(text.data(), text.data() + text.size(), bytes).ec == std::errc() && bytes > 0) return bytes;
  }
  if (measurement.codegen && measurement.codegen->code_bytes) return static_cast<double>(*measurement.codegen->code_bytes);
  return std::nullopt;
}

std::optional<double> run_bytes(const PointResult& result) {
  const auto blocks = find_integer(result.point.parameters, parameter::kRunBlocks);
  if (result.point.experiment != experiment::kInstructionCache || !result.measurement || !blocks) return std::nullopt;
  const auto program = program_bytes(*result.measurement);
  return program ? std::optional(*program * static_cast<double>(*blocks) / kProgramBlocks) : std::nullopt;
}

double addition_bytes(std::span<const PointResult> results) {
  std::int64_t longest = 0;
  double bytes = 0;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kInstructionCache || !result.measurement) continue;
    const std::int64_t block = integer_or(result.point.parameters, parameter::kBlockLength, 0);
    const auto program = program_bytes(*result.measurement);
    if (!program || block <= longest) continue;
    longest = block;
    bytes = *program / static_cast<double>(block * kProgramBlocks);
  }
  return bytes;
}

InstructionCaches read_instruction_caches(std::span<const PointResult> results) {
  std::map<std::string, Curves> scopes;
  InstructionCaches found;
  bool unknown_length = false;
  bool cycles = true;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kInstructionCache || !result.measurement) continue;
    cycles = cycles && result.measurement->statistics.contains(figures::kNetCyclesPerOp);
  }
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kInstructionCache || !result.measurement) continue;
    const auto& statistics = result.measurement->statistics;
    const auto net = statistics.find(cycles ? figures::kNetCyclesPerOp : figures::kNetNsPerOp);
    const auto* scope = find_word(result.point.parameters, parameter::kScope);
    const auto block = find_integer(result.point.parameters, parameter::kBlockLength);
    const bool has_blocks = find_integer(result.point.parameters, parameter::kRunBlocks).has_value();
    if (net == statistics.end() || scope == nullptr || !block || !has_blocks || net->second.median <= 0) continue;
    const auto length = run_bytes(result);
    if (!length) {
      unknown_length = true;
      continue;
    }
    scopes[*scope][*block].push_back({*length, net->second.median, median_error(net->second)});
  }
  for (auto& [scope, curves] : scopes) {
    const auto curve = joined(std::move(curves));
    const auto stairs = fit_code_stairs(curve);
    if (!stairs) continue;
    for (std::size_t i = 0; i < stairs->steps.size(); ++i) {
      const CodeStep& step = stairs->steps[i];
      found.levels.push_back({scope, whole(step.bytes), whole(step.bytes_low), whole(step.bytes_high), stairs->treads[i],
                              stairs->treads[i + 1], confidence_of(*stairs)});
      found.evidence.push_back(fmt::format("{}: code beyond {} misses as in a cache of {} ways with LRU replacement", scope,
                                           format_bytes(whole(step.bytes)), step.ways));
    }
    found.evidence.push_back(fmt::format("{}: the times of {} code lengths deviate from this model by {:.1f} %", scope,
                                         curve.size(), 100 * stairs->misfit));
    found.evidence.push_back(fmt::format("{}: the tested code is {} to {} long", scope, format_bytes(whole(curve.front().bytes)),
                                         format_bytes(whole(curve.back().bytes))));
  }
  if (unknown_length) found.evidence.emplace_back("the machine code of some points was not read, so they give no size");
  return found;
}

}  // namespace percycle
