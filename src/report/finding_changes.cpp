#include "report/finding_changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "report/finding_tables.hpp"

namespace percycle {
namespace {

/// Values by column and, if further words follow, the first word of their rows.
using Groups = std::map<std::pair<std::string, std::string>, std::vector<FindingValue>>;

Groups groups_of(const FindingTable& table) {
  Groups groups;
  for (const FindingValue& value : table.values)
    groups[{value.column, value.row.size() > 1 ? value.row.front() : ""}].push_back(value);
  return groups;
}

FindingChange change_of(const std::string& kind, const FindingValue& before, const FindingValue& after) {
  FindingChange change{.kind = kind,
                       .row = before.row,
                       .column = before.column,
                       .before = before.value,
                       .after = after.value,
                       .is_bytes = before.is_bytes};
  change.is_doubtful = std::min(before.confidence, after.confidence) < kStatedConfidence;
  const bool overlap = before.low <= after.high && after.low <= before.high;
  if (!change.is_doubtful && !overlap && std::abs(change.percent()) > kFindingNoisePercent) {
    change.verdict =
        (after.value > before.value) == (before.better == Better::higher) ? ChangeVerdict::better : ChangeVerdict::worse;
  }
  return change;
}

}  // namespace

std::vector<FindingChange> finding_changes(const Hierarchy& before, const Hierarchy& after) {
  std::vector<FindingChange> changes;
  const Findings others = findings_of(after);
  for (const FindingTable& table : findings_of(before).tables) {
    const auto same = std::ranges::find(others.tables, table.title, &FindingTable::title);
    if (same == others.tables.end()) continue;
    const Groups after_groups = groups_of(*same);
    for (const auto& [name, values] : groups_of(table)) {
      const auto found = after_groups.find(name);
      if (found == after_groups.end() || !std::ranges::equal(values, found->second, {}, &FindingValue::row, &FindingValue::row))
        continue;
      for (std::size_t i = 0; i < values.size(); ++i) changes.push_back(change_of(table.title, values[i], found->second[i]));
    }
  }
  return changes;
}

}  // namespace percycle
