#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/rule.hpp"
#include "report/device_analysis.hpp"
#include "report/text_table.hpp"

namespace percycle {

/// A value of a table that comparisons judge.
struct FindingValue {
  std::vector<std::string> row;  ///< the cells before it, which name the row
  std::string column;
  double value = 0;
  double low = 0;  ///< bounds, the value itself if none are known
  double high = 0;
  bool is_bytes = false;
  Better better = Better::unknown;
  double confidence = 1;
};

/// The title of the table of caches.
inline constexpr std::string_view kLevelsTitle = "Levels";

/// All findings of one kind.
struct FindingTable {
  std::string title;
  TextTable table;
  std::vector<std::string> notes;  ///< by their numbers in the table, from 1
  std::vector<FindingValue> values;
};

/// The findings of an analysis, kind by kind. A kind without findings has no table.
struct Findings {
  std::vector<FindingTable> tables;
  std::string evidence;  ///< a line per piece
};

/// As report/hierarchy_fields.hpp declares them.
Findings findings_of(const Hierarchy& hierarchy);
/// The same and the comparison with the driver and the catalogue.
Findings findings_of(const DeviceAnalysis& analysis);

/// The tables with their titles and notes.
std::string to_text(const std::vector<FindingTable>& tables);

}  // namespace percycle
