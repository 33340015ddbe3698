#include "analysis/schedulers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

using Rates = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

/// The rate that separates pairs that share a scheduler (below) from the others.
std::optional<double> dividing_rate(const Rates& rates, std::optional<double> alone) {
  std::vector<double> sorted;
  for (const auto& [pair, rate] : rates) sorted.push_back(rate);
  std::sort(sorted.begin(), sorted.end());
  double widest = 1;
  double middle = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (const double gap = sorted[i] / sorted[i - 1]; gap > widest) {
      widest = gap;
      middle = (sorted[i] + sorted[i - 1]) / 2;
    }
  }
  if (widest >= scheduler_thresholds.least_gap) return middle;
  if (!alone) return std::nullopt;
  if (sorted.front() >= scheduler_thresholds.both_at_full_rate * *alone) return 0;
  if (sorted.back() <= scheduler_thresholds.no_more_than_one * *alone) return 2 * sorted.back();
  return std::nullopt;
}

using SubgroupGroups = std::vector<std::vector<std::uint32_t>>;

/// Joins the subgroups of each slow pair.
SubgroupGroups grouped(const Rates& rates, const std::vector<std::uint32_t>& subgroups, double dividing) {
  SubgroupGroups groups;
  for (const std::uint32_t subgroup : subgroups) groups.push_back({subgroup});
  const auto group_of = [&](std::uint32_t subgroup) {
    return std::ranges::find_if(groups, [&](const auto& group) { return std::ranges::find(group, subgroup) != group.end(); });
  };
  for (const auto& [pair, rate] : rates) {
    const auto first = group_of(pair.first);
    const auto second = group_of(pair.second);
    if (rate >= dividing || first == second) continue;
    first->insert(first->end(), second->begin(), second->end());
    std::ranges::sort(*first);
    groups.erase(second);
  }
  return groups;
}

/// Whether no pair of a group is fast, and each two groups have a pair that is.
bool agree(const Rates& rates, const SubgroupGroups& groups, double dividing) {
  const auto number_of = [&](std::uint32_t subgroup) {
    const auto found =
        std::ranges::find_if(groups, [&](const auto& group) { return std::ranges::find(group, subgroup) != group.end(); });
    return static_cast<std::size_t>(found - groups.begin());
  };
  std::set<std::pair<std::size_t, std::size_t>> apart;
  for (const auto& [pair, rate] : rates) {
    const std::size_t first = number_of(pair.first);
    const std::size_t second = number_of(pair.second);
    if (rate >= dividing) apart.insert(std::minmax(first, second));
    if (rate >= dividing && first == second) return false;
  }
  return apart.size() == groups.size() * (groups.size() - 1) / 2;
}

}  // namespace

std::optional<SchedulerGroups> scheduler_groups(const std::vector<SubgroupPair>& pairs) {
  Rates rates;
  std::optional<double> alone;
  std::vector<std::uint32_t> subgroups;
  for (const SubgroupPair& pair : pairs) {
    if (pair.first == pair.second) {
      alone = pair.rate;
      continue;
    }
    rates[std::minmax(pair.first, pair.second)] = pair.rate;
    subgroups.insert(subgroups.end(), {pair.first, pair.second});
  }
  std::ranges::sort(subgroups);
  subgroups.erase(std::unique(subgroups.begin(), subgroups.end()), subgroups.end());
  if (rates.empty()) return std::nullopt;
  const auto dividing = dividing_rate(rates, alone);
  if (!dividing) return std::nullopt;
  SchedulerGroups found{grouped(rates, subgroups, *dividing), true};
  if (!agree(rates, found.groups, *dividing)) return std::nullopt;
  for (const auto& group : found.groups) {
    for (const std::uint32_t subgroup : group)
      found.is_modulo = found.is_modulo && subgroup % found.groups.size() == group.front() % found.groups.size();
  }
  return found;
}

std::string scheduler_sentence(const std::vector<SubgroupPair>& pairs) {
  const auto found = scheduler_groups(pairs);
  if (!found) return "the schedulers are unknown: the pairs of subgroups do not fall into groups";
  const std::size_t count = found->groups.size();
  if (count == 1) return "1 scheduler";
  if (found->groups.back().size() == 1 && found->groups.front().size() == 1)
    return fmt::format("{} schedulers or more: no two of {} subgroups share one", count, count);
  if (found->is_modulo) return fmt::format("{0} schedulers: subgroups share one if their numbers modulo {0} are equal", count);
  std::string text = fmt::format("{} schedulers, of subgroups", count);
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{} {}", i == 0 ? "" : ";", fmt::join(found->groups[i], ", "));
  return text;
}

}  // namespace percycle
