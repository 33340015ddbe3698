#include "analysis/residency.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "analysis/thresholds.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "vocabulary/residency.hpp"

namespace percycle {
namespace {

// Steps and overheads of known hardware, and more. Sizes are whole multiples of kWhole.
constexpr std::array<std::uint64_t, 8> kRegisterSteps{1, 2, 4, 8, 12, 16, 24, 32};
constexpr std::array<std::uint64_t, 6> kLocalSteps{128, 256, 512, 1024, 2048, 4096};
constexpr std::uint64_t kMostOverhead = 2048;
constexpr std::uint64_t kWhole = 1024;

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

/// A pool that groups share: its size, the step of a share, and the overhead of a group.
struct Pool {
  std::uint64_t size = 0;
  std::uint64_t step = 0;
  std::uint64_t overhead = 0;
};

/// All pools that give each count: as many groups as fit, at most `most`.
template <typename Steps, typename Overheads, typename Share>
std::vector<Pool> fitting_pools(const std::vector<ResidentCount>& counts, std::uint64_t most, const Steps& steps,
                                const Overheads& overheads, const Share& share) {
  std::vector<Pool> found;
  for (const std::uint64_t step : steps) {
    for (const std::uint64_t overhead : overheads) {
      // The size holds the groups of each count, but not one group more.
      std::uint64_t least = 0;
      std::uint64_t limit = UINT64_MAX;
      for (const ResidentCount& count : counts) {
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

/// The number of pairs of pools that a count would not distinguish.
std::size_t left_together(const std::vector<std::vector<Pool>>& classes, const auto& predict) {
  std::size_t pairs = 0;
  for (const auto& pools : classes) {
    std::map<std::uint64_t, std::size_t> predicted;
    for (const Pool& pool : pools) pairs += predicted[predict(pool)]++;
  }
  return pairs;
}

/// The demands that split the pools best, one after the other. `predict(pool, demand)` is a number
/// of groups.
std::vector<std::uint64_t> best_splits(const std::vector<Pool>& all, const std::vector<std::uint64_t>& demands,
                                       const auto& predict) {
  std::vector<std::vector<Pool>> classes(1);
  const std::size_t every = all.size() / static_cast<std::size_t>(pool_thresholds.most_pools) + 1;
  for (std::size_t i = 0; i < all.size(); i += every) classes[0].push_back(all[i]);
  std::vector<std::uint64_t> chosen;
  while (static_cast<double>(chosen.size()) < pool_thresholds.demands_at_once) {
    std::size_t least = 0;
    for (const auto& pools : classes) least += pools.size() * (pools.size() - 1) / 2;
    std::optional<std::uint64_t> best;
    for (const std::uint64_t demand : demands) {
      const std::size_t pairs = left_together(classes, [&](const Pool& pool) { return predict(pool, demand); });
      if (pairs < least) best = demand;
      least = std::min(least, pairs);
    }
    if (!best) return chosen;
    chosen.push_back(*best);
    std::vector<std::vector<Pool>> split;
    for (const auto& pools : classes) {
      std::map<std::uint64_t, std::vector<Pool>> by_count;
      for (const Pool& pool : pools) by_count[predict(pool, *best)].push_back(pool);
      for (auto& [count, members] : by_count) split.push_back(std::move(members));
    }
    classes = std::move(split);
  }
  return chosen;
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
  return fmt::format("{} to {}: any {} of this size explains all {} counts", format(least->size), format(most->size), name,
                     counts);
}

/// Multiples of the least step.
std::vector<std::uint64_t> local_overheads() {
  std::vector<std::uint64_t> all;
  for (std::uint64_t bytes = 0; bytes <= kMostOverhead; bytes += kLocalSteps.front()) all.push_back(bytes);
  return all;
}

std::string plain(std::uint64_t number) { return fmt::format("{}", number); }

std::uint64_t most_groups(const std::vector<ResidentCount>& counts) {
  std::uint64_t most = 0;
  for (const ResidentCount& count : counts) most = std::max(most, count.groups);
  return most;
}

std::vector<Pool> local_pools(const std::vector<ResidentCount>& counts, std::uint64_t most) {
  return fitting_pools(counts, most, kLocalSteps, local_overheads(),
                       [](const ResidentCount& count, std::uint64_t step) { return round_up(count.demand, step); });
}

std::vector<Pool> register_pools(const std::vector<ResidentCount>& counts, std::uint64_t most) {
  return fitting_pools(
      counts, most, kRegisterSteps, std::array<std::uint64_t, 1>{0},
      [](const ResidentCount& count, std::uint64_t step) { return count.group_size * round_up(count.demand, step); });
}

void read_invocations(Residency& found, const std::vector<ResidentCount>& counts, std::uint64_t subgroup_size) {
  std::vector<std::uint64_t> reaching;
  for (const ResidentCount& count : counts) {
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

/// Whether the compiler kept values of this kernel in memory.
bool has_spills(const Measurement& measurement) {
  if (!measurement.codegen) return false;
  return measurement.codegen->spills.value_or(0) > 0 || measurement.codegen->scratch_bytes.value_or(0) > 0;
}

/// The kernel without spills that keeps the most words, and the first with spills.
struct RegisterLimit {
  std::uint64_t kept = 0;
  std::uint64_t registers = 0;
  std::uint64_t spilled = UINT64_MAX;

  void add(std::uint64_t words, const Measurement& measurement) {
    if (has_spills(measurement)) {
      spilled = std::min(spilled, words);
    } else if (const auto known = registers_of(measurement); known && words > kept) {
      kept = words;
      registers = *known;
    }
  }
  bool is_known() const { return spilled != UINT64_MAX && kept < spilled && registers > 0; }
};

}  // namespace

std::optional<std::uint64_t> registers_of(const Measurement& measurement) {
  if (const auto known = observed(measurement, kObservedRegisters)) return known;
  return measurement.codegen ? measurement.codegen->registers : std::nullopt;
}

std::vector<std::uint64_t> telling_local_demands(const std::vector<ResidentCount>& counts, std::uint64_t most,
                                                 const std::vector<std::uint64_t>& demands) {
  return best_splits(local_pools(counts, most), demands, [most](const Pool& pool, std::uint64_t demand) {
    return std::min(most, pool.size / (round_up(demand, pool.step) + pool.overhead));
  });
}

std::vector<std::uint64_t> telling_register_demands(const std::vector<ResidentCount>& counts, std::uint64_t most,
                                                    const std::vector<std::uint64_t>& demands) {
  if (counts.empty()) return {};
  const std::uint64_t lanes = counts.front().group_size;
  return best_splits(register_pools(counts, most), demands, [most, lanes](const Pool& pool, std::uint64_t demand) {
    return std::min(most, pool.size / (lanes * round_up(demand, pool.step)));
  });
}

Residency read_residency(std::span<const PointResult> results) {
  std::vector<ResidentCount> invocations;
  std::vector<ResidentCount> local;
  std::vector<ResidentCount> registers;
  std::uint64_t subgroup_size = 0;
  bool unknown_registers = false;
  RegisterLimit limit;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kResidency || !result.measurement) continue;
    const Measurement& measurement = *result.measurement;
    const auto statistic = measurement.statistics.find(figures::kMostAtOnce);
    const auto size = find_integer(result.point.parameters, parameter::kGroupSize);
    if (statistic == measurement.statistics.end() || !size) continue;
    // A sample can miss a moment with all groups; none can see more than there are.
    const auto groups = static_cast<std::uint64_t>(statistic->second.max.value_or(statistic->second.median));
    ResidentCount count{0, static_cast<std::uint64_t>(*size), groups};
    subgroup_size = observed(measurement, "subgroup_size").value_or(subgroup_size);
    if (has_word(result.point.parameters, parameter::kResource, residency_resource::kInvocations)) {
      invocations.push_back(count);
    } else if (const auto bytes = find_integer(result.point.parameters, parameter::kLocalBytes)) {
      count.demand = static_cast<std::uint64_t>(*bytes);
      local.push_back(count);
    } else if (limit.add(static_cast<std::uint64_t>(integer_or(result.point.parameters, parameter::kValues, 0)), measurement);
               has_spills(measurement)) {
      continue;  // holds values in memory, too
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
    const auto pools = local_pools(local, found.groups.value_or(most_groups(local)));
    found.local_bytes = only_one(pools, &Pool::size);
    found.local_step = only_one(pools, &Pool::step);
    found.local_overhead = only_one(pools, &Pool::overhead);
    found.evidence.push_back(pool_words("local memory", pools, local.size(), format_bytes));
  }
  if (!registers.empty()) {
    std::uint64_t most = found.groups.value_or(most_groups(registers));
    if (found.invocations) most = std::min(most, *found.invocations / registers.front().group_size);
    const auto pools = register_pools(registers, most);
    found.registers = only_one(pools, &Pool::size);
    found.register_step = only_one(pools, &Pool::step);
    found.evidence.push_back(pool_words("register file", pools, registers.size(), plain));
  }
  if (limit.is_known()) {
    found.most_registers = limit.registers;
    found.evidence.push_back(fmt::format("an invocation keeps {} words in {} registers; of {} words some lie in memory",
                                         limit.kept, limit.registers, limit.spilled));
  }
  if (unknown_registers) found.evidence.emplace_back("the registers of some kernels are unknown, so their counts give no size");
  return found;
}

}  // namespace percycle
