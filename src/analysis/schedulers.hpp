#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace percycle {

/// The rate of two subgroups of a work-group, by their numbers; one alone if both are the same.
struct SubgroupPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double rate = 0;
};

/// Subgroups that share a scheduler, in order of their first numbers.
struct SchedulerGroups {
  std::vector<std::vector<std::uint32_t>> groups;
  /// The numbers of each group are those with one remainder of a division by the number of groups.
  bool is_modulo = false;
};

/// Splits the subgroups by the pairs that are slower than others. Empty if pairs contradict each
/// other or are too few, and if all are alike and none ran alone.
std::optional<SchedulerGroups> scheduler_groups(const std::vector<SubgroupPair>& pairs);

/// "4 schedulers: subgroups share one if their numbers modulo 4 are equal"
std::string scheduler_sentence(const std::vector<SubgroupPair>& pairs);

}  // namespace percycle
