#include "analysis/residency.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>

#include "core/units.hpp"
#include "vocabulary/residency.hpp"

namespace percycle {
namespace {

// Steps and overheads of known hardware, and more. Sizes are whole multiples of kWhole.
constexpr std::array<std::uint64_t, 8> kRegisterSteps{1, 2, 4, 8, 12, 16, 24, 32};
constexpr std::array<std::uint64_t, 6> kLocalSteps{128, 256, 512, 1024, 2048, 4096};
constexpr std::uint64_t kMostOverhead = 2048;
constexpr std::uint64_t kWhole = 1024;

/// Work-groups of one size that a unit held at once.
struct Count {
  std::uint64_t demand = 0;  ///< registers of an invocation, or bytes of local memory
  std::uint64_t group_size = 1;
  std::uint64_t groups = 0;
};

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) { return (value + step - 1) / step * step; }

std::optional<std::uint64_t> parsed(const std::string& text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && number > 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> observed(const Measurement& measurement, const char* name) {
  const auto found = measurement.observed.find(name);
  return found == measurement.observed.end() ? std::nullopt : parsed(found->second);
}

std::optional<std::uint64_t> registers_of(const Measurement& measurement) {
  if (const auto known = observed(measurement, kObservedRegisters)) return known;
  return measurement.codegen ? measurement.codegen->registers : std::nullopt;
}

/// A pool that groups share: its size, the step of a share and what a group takes beside it.
struct Pool {
  std::uint64_t size = 0;
  std::uint64_t step = 0;
  std::uint64_t overhead = 0;
};

/// All pools that give each count: as many groups as fit, at most `most`.
template <typename Steps, typename Overheads, typename Share>
std::vector<Pool> fitting_pools(const std::vector<Count>& counts, std::uint64_t most, const Steps& steps,
                                const Overheads& overheads, const Share& share) {
  std::vector<Pool> found;
  for (const std::uint64_t step : steps) {
    for (const std::uint64_t overhead : overheads) {
      // The size is at least what the groups of each count take, and less than with one more.
      std::uint64_t least = 0;
      std::uint64_t limit = UINT64_MAX;
      for (const Count& count : counts) {
        const std::uint64_t each = share(count, step) + overhead;
        least = std::max(least, count.groups * each);
        if (count.groups < most) limit = std::min(limit, (count.groups + 1) * each);
      }
      for (std::uint64_t size = round_up(least, kWhole); limit != UINT64_MAX && size < limit; size += kWhole)
        found.push_back({size, step, overhead});
    }
  }
  return found;
}

template <typename Member>
std::optional<std::uint64_t> only_one(const std::vector<Pool>& pools, Member member) {
  std::set<std::uint64_t> values;
  for (const Pool& pool : pools) values.insert(pool.*member);
  return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

/// A sentence on the pools that explain the counts.
std::string pool_words(const std::string& name, const std::vector<Pool>& pools, std::size_t counts,
                       std::string (*format)(std::uint64_t)) {
  if (pools.empty()) return fmt::format("no {} explains all {} counts", name, counts);
  const auto [least, most] = std::minmax_element(pools.begin(), pools.end(), [](auto& a, auto& b) { return a.size < b.size; });
  if (least->size == most->size) return fmt::format("a {} of {} explains all {} counts", name, format(least->size), counts);
  return fmt::format("{} to {}: each {} explains all {} counts", format(least->size), format(most->size), name, counts);
}

/// Multiples of the least step.
std::vector<std::uint64_t> local_overheads() {
  std::vector<std::uint64_t> all;
  for (std::uint64_t bytes = 0; bytes <= kMostOverhead; bytes += kLocalSteps.front()) all.push_back(bytes);
  return all;
}

std::string plain(std::uint64_t number) { return fmt::format("{}", number); }

std::uint64_t most_groups(const std::vector<Count>& counts) {
  std::uint64_t most = 0;
  for (const Count& count : counts) most = std::max(most, count.groups);
  return most;
}

void read_invocations(Residency& found, const std::vector<Count>& counts, std::uint64_t subgroup_size) {
  std::vector<std::uint64_t> reaching;
  for (const Count& count : counts) {
    const std::uint64_t invocations = count.groups * count.group_size;
    found.groups = std::max(found.groups.value_or(0), count.groups);
    if (invocations > found.invocations.value_or(0)) reaching.clear();
    found.invocations = std::max(found.invocations.value_or(0), invocations);
    if (invocations == found.invocations) reaching.push_back(count.group_size);
  }
  if (!found.invocations) return;
  if (subgroup_size > 0) found.subgroups = *found.invocations / subgroup_size;
  found.evidence.push_back(
      fmt::format("{} invocations ran at once in work-groups of {}", *found.invocations, fmt::join(reaching, ", ")));
}

}  // namespace

Residency read_residency(std::span<const PointResult> results) {
  std::vector<Count> invocations;
  std::vector<Count> local;
  std::vector<Count> registers;
  std::uint64_t subgroup_size = 0;
  bool unknown_registers = false;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kResidency || !result.measurement) continue;
    const Measurement& measurement = *result.measurement;
    const auto statistic = measurement.statistics.find(kMostAtOnce);
    const auto size = find_integer(result.point.parameters, parameter::kGroupSize);
    if (statistic == measurement.statistics.end() || !size) continue;
    // A sample can miss a moment with all groups; none can see more than there are.
    const auto groups = static_cast<std::uint64_t>(statistic->second.max.value_or(statistic->second.median));
    Count count{0, static_cast<std::uint64_t>(*size), groups};
    subgroup_size = observed(measurement, "subgroup_size").value_or(subgroup_size);
    if (has_word(result.point.parameters, parameter::kResource, residency_resource::kInvocations)) {
      invocations.push_back(count);
    } else if (const auto bytes = find_integer(result.point.parameters, parameter::kLocalBytes)) {
      count.demand = static_cast<std::uint64_t>(*bytes);
      local.push_back(count);
    } else if (const auto known = registers_of(measurement)) {
      count.demand = *known;
      registers.push_back(count);
    } else {
      unknown_registers = true;
    }
  }
  Residency found;
  read_invocations(found, invocations, subgroup_size);
  if (!local.empty()) {
    const auto pools = fitting_pools(local, found.groups.value_or(most_groups(local)), kLocalSteps, local_overheads(),
                                     [](const Count& count, std::uint64_t step) { return round_up(count.demand, step); });
    found.local_bytes = only_one(pools, &Pool::size);
    found.local_step = only_one(pools, &Pool::step);
    found.local_overhead = only_one(pools, &Pool::overhead);
    found.evidence.push_back(pool_words("local memory", pools, local.size(), format_bytes));
  }
  if (!registers.empty()) {
    std::uint64_t most = found.groups.value_or(most_groups(registers));
    if (found.invocations) most = std::min(most, *found.invocations / registers.front().group_size);
    const auto pools =
        fitting_pools(registers, most, kRegisterSteps, std::array<std::uint64_t, 1>{0},
                      [](const Count& count, std::uint64_t step) { return count.group_size * round_up(count.demand, step); });
    found.registers = only_one(pools, &Pool::size);
    found.register_step = only_one(pools, &Pool::step);
    found.evidence.push_back(pool_words("register file", pools, registers.size(), plain));
  }
  if (unknown_registers) found.evidence.emplace_back("the registers of some kernels are unknown: their counts tell no size");
  return found;
}

}  // namespace percycle
