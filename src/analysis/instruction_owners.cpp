#include "analysis/instruction_owners.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/disturbance.hpp"
#include "analysis/instruction_caches.hpp"
#include "analysis/known_readings.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/thresholds.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "stats/summary.hpp"
#include "vocabulary/instruction_sharing.hpp"

namespace percycle {
namespace {

/// The victim's time in the points of one level.
struct VictimTimes {
  std::optional<CurveSample> alone;
  std::map<std::int64_t, CurveSample> subgroups;  ///< by the aggressor's; 0 is the victim itself
  std::map<std::int64_t, CurveSample> units;      ///< by the aggressor's
};

std::optional<CurveSample> cycles_of(const PointResult& result) {
  if (!result.measurement) return std::nullopt;
  const auto found = result.measurement->statistics.find(figures::kCyclesPerOp);
  if (found == result.measurement->statistics.end()) return std::nullopt;
  return CurveSample{0, found->second.median, median_error(found->second)};
}

std::map<std::int64_t, VictimTimes> code_times(std::span<const PointResult> results) {
  std::map<std::int64_t, VictimTimes> levels;
  for (const PointResult& result : results) {
    const Parameters& parameters = result.point.parameters;
    if (result.point.experiment != experiment::kInstructionSharing ||
        !has_word(parameters, parameter::kVictim, code_victim::kCode))
      continue;
    const auto cycles = cycles_of(result);
    if (!cycles) continue;
    VictimTimes& level = levels[integer_or(parameters, parameter::kLevel, 1)];
    const std::int64_t aggressor = integer_or(parameters, parameter::kAggressor, 0);
    if (has_word(parameters, parameter::kBeside, code_aggressor::kNothing)) level.alone = *cycles;
    if (has_word(parameters, parameter::kBeside, code_aggressor::kSubgroup)) level.subgroups[aggressor] = *cycles;
    if (has_word(parameters, parameter::kBeside, code_aggressor::kUnit)) level.units[aggressor] = *cycles;
  }
  return levels;
}

/// Decisions about one level, against the eviction by the victim's own subgroup.
struct Evictions {
  std::map<std::int64_t, Disturbance> subgroups;
  std::map<std::int64_t, Disturbance> units;

  double certainty() const {
    double least = 1;
    for (const auto* all : {&subgroups, &units}) {
      for (const auto& [number, found] : *all) least = std::min(least, found.certainty());
    }
    return least;
  }
};

std::vector<std::int64_t> evicting(const std::map<std::int64_t, Disturbance>& all) {
  std::vector<std::int64_t> found;
  for (const auto& [number, disturbance] : all) {
    if (disturbance.evicts()) found.push_back(number);
  }
  return found;
}

std::string shares_of(const std::map<std::int64_t, Disturbance>& all) {
  std::string text;
  for (const auto& [number, found] : all)
    text += fmt::format("{}{}: {:.0f} %", text.empty() ? "" : ", ", number, std::max(0.0, 100 * found.share));
  return text;
}

/// Copies of a level in a unit, if subgroup 0 shares its own with these of `subgroups` ones.
std::uint32_t copies_in_unit(const std::vector<std::int64_t>& sharing, std::size_t subgroups) {
  if (sharing.empty()) return static_cast<std::uint32_t>(subgroups);
  const std::int64_t step = sharing.front();
  const bool in_turn = sharing.size() == (subgroups - 1) / static_cast<std::size_t>(step) &&
                       std::all_of(sharing.begin(), sharing.end(), [&](std::int64_t number) { return number % step == 0; });
  if (in_turn) return static_cast<std::uint32_t>(step);
  return static_cast<std::uint32_t>(std::lround(static_cast<double>(subgroups) / static_cast<double>(sharing.size() + 1)));
}

InstructionCacheOwner judge_owner(const Evictions& found, const InstructionCacheLevel& level, std::size_t number) {
  InstructionCacheOwner owner{.level = number, .size_bytes = level.size_bytes, .evidence = {}};
  owner.confidence = found.certainty() * level.confidence;
  const std::size_t subgroups = found.subgroups.size() + 1;
  const auto sharing = evicting(found.subgroups);
  const auto units = evicting(found.units);
  owner.copies = copies_in_unit(sharing, subgroups);
  if (owner.copies > 1) {
    owner.part = InstructionCacheOwner::OwnerKind::subgroups;
  } else if (!units.empty()) {
    const bool far = found.units.size() > 1 && found.units.rbegin()->second.evicts();
    owner.part =
        far || found.units.size() == 1 ? InstructionCacheOwner::OwnerKind::device : InstructionCacheOwner::OwnerKind::neighbours;
  }
  if (!found.subgroups.empty())
    owner.evidence.push_back(
        fmt::format("share that the code of another subgroup evicts: by subgroup {}", shares_of(found.subgroups)));
  if (!found.units.empty())
    owner.evidence.push_back(fmt::format("share that the code of another unit evicts: by unit {}", shares_of(found.units)));
  return owner;
}

/// The time of a load by the blocks of code between two walks.
using TimesByBlocks = std::map<std::int64_t, CurveSample>;

struct ConstantTimes {
  std::int64_t block_length = 0;
  TimesByBlocks by_blocks;
};

std::map<std::int64_t, ConstantTimes> constant_times(std::span<const PointResult> results) {
  std::map<std::int64_t, ConstantTimes> chains;
  for (const PointResult& result : results) {
    const Parameters& parameters = result.point.parameters;
    if (result.point.experiment != experiment::kInstructionSharing ||
        !has_word(parameters, parameter::kVictim, code_victim::kConstants))
      continue;
    const auto cycles = cycles_of(result);
    const bool inner = integer_or(parameters, parameter::kLevel, 1) == 1;
    const auto bytes = find_integer(parameters, inner ? parameter::kInnerBytes : parameter::kOuterBytes);
    const auto blocks = find_integer(parameters, parameter::kAggressorBlocks);
    if (!cycles || !bytes || !blocks) continue;
    ConstantTimes& chain = chains[*bytes];
    chain.block_length = integer_or(parameters, parameter::kBlockLength, 0);
    chain.by_blocks[*blocks] = *cycles;
  }
  return chains;
}

/// The additional time of a load that misses the level which holds the chain. Where the curve of
/// constants does not show the next level, the step before it stands in.
std::optional<double> eviction_cost(const CurveReading& constants, double bytes, double alone) {
  for (std::size_t i = 0; i < constants.levels.size(); ++i) {
    if (bytes <= constants.levels[i].size) return miss_cost(constants, i);
  }
  if (constants.levels.empty()) return std::nullopt;
  const double step = alone - constants.levels.front().latency;
  return step > 0 ? std::optional(step) : std::nullopt;
}

std::optional<ConstantsBesideCode> judge_constants(std::int64_t bytes, const ConstantTimes& chain, double addition,
                                                   const CurveReading& constants,
                                                   std::span<const InstructionCacheLevel* const> levels) {
  const auto alone = chain.by_blocks.find(0);
  if (alone == chain.by_blocks.end() || chain.by_blocks.size() < 2) return std::nullopt;
  const auto cost = eviction_cost(constants, static_cast<double>(bytes), alone->second.value);
  if (!cost) return std::nullopt;
  ConstantsBesideCode found{.constant_bytes = static_cast<std::uint64_t>(bytes), .level = std::nullopt, .evidence = {}};
  found.alone_cycles = alone->second.value;
  found.most_cycles = chain.by_blocks.rbegin()->second.value;
  const Disturbance longest = disturbance(chain.by_blocks.rbegin()->second, alone->second, *cost);
  found.shared = longest.evicts();
  found.confidence = longest.certainty();
  const auto with_code = [&](std::int64_t blocks) {
    return static_cast<std::uint64_t>(bytes) + whole(static_cast<double>(blocks * chain.block_length) * addition);
  };
  for (const auto& [blocks, sample] : chain.by_blocks) {
    if (disturbance(sample, alone->second, *cost).evicts()) {
      found.evicting_bytes = with_code(blocks);
      break;
    }
    found.fitting_bytes = with_code(blocks);
  }
  found.evidence.push_back(fmt::format("beside {} of code a load takes {} instead of {:.1f}",
                                       format_bytes(with_code(chain.by_blocks.rbegin()->first) - found.constant_bytes),
                                       in_unit(found.most_cycles, 1, unit_text::kCycles), found.alone_cycles));
  if (!found.shared) return found;
  found.evidence.push_back(fmt::format("constants and code fit together up to {} in all, but not at {}",
                                       format_bytes(found.fitting_bytes), format_bytes(found.evicting_bytes)));
  for (std::size_t i = 0; i < levels.size() && !found.level; ++i) {
    const auto size = static_cast<double>(levels[i]->size_bytes);
    if (size * owner_thresholds.same_size >= static_cast<double>(found.fitting_bytes) &&
        size <= static_cast<double>(found.evicting_bytes) * owner_thresholds.same_size)
      found.level = i + 1;
  }
  return found;
}

}  // namespace

std::string InstructionCacheOwner::owner_words() const {
  switch (part) {
    case OwnerKind::subgroups:
      return fmt::format("some subgroups of a unit ({} copies)", copies);
    case OwnerKind::unit:
      return "all subgroups of a unit";
    case OwnerKind::neighbours:
      return "neighbouring units";
    case OwnerKind::device:
      break;
  }
  return "units far apart";
}

InstructionSharingReading read_instruction_sharing(std::span<const PointResult> results) {
  InstructionSharingReading reading;
  const auto code = code_times(results);
  const auto constants = constant_times(results);
  if (code.empty() && constants.empty()) return reading;
  const InstructionCaches caches = read_instruction_caches(results);
  std::vector<const InstructionCacheLevel*> levels;
  for (const InstructionCacheLevel& level : caches.levels) {
    if (level.scope == instruction_scope::kSubgroup) levels.push_back(&level);
  }
  for (const auto& [number, times] : code) {
    const auto own = times.subgroups.find(0);
    if (number < 1 || static_cast<std::size_t>(number) > levels.size() || !times.alone || own == times.subgroups.end()) continue;
    const double cost = own->second.value - times.alone->value;
    if (own->second.value < times.alone->value * owner_thresholds.least_rise) {
      reading.evidence.push_back(fmt::format("level {}: code of the victim's own subgroup does not evict the victim", number));
      continue;
    }
    Evictions found;
    for (const auto& [other, sample] : times.subgroups) {
      if (other != 0) found.subgroups[other] = disturbance(sample, *times.alone, cost);
    }
    for (const auto& [other, sample] : times.units) found.units[other] = disturbance(sample, *times.alone, cost);
    const auto index = static_cast<std::size_t>(number);
    reading.owners.push_back(judge_owner(found, *levels[index - 1], index));
  }
  const PathCurves curves = path_curves(results, kConstantPath);
  const CurveReading curve = curves.best().empty() ? CurveReading{} : known_reading(curves.best());
  const double addition = addition_bytes(results);
  for (const auto& [bytes, chain] : constants) {
    if (curves.unit != LatencyUnit::cycles) break;
    if (auto found = judge_constants(bytes, chain, addition, curve, levels)) reading.constants.push_back(std::move(*found));
  }
  return reading;
}

}  // namespace percycle
