#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/point_table.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// "private", "width 16", "footprint 4 KiB"; empty if the row lacks the parameter.
std::string parameter_words(const PointRow& row, const std::string& name);

/// The words of some parameters, separated by commas.
std::string parameter_words(const PointRow& row, const std::vector<std::string>& names);

/// The parameters that vary between the rows, except those chosen by a search and `without`.
std::vector<std::string> varying_parameters(const std::vector<const PointRow*>& rows, const std::set<std::string>& without);

/// For rows that differ only in their footprint: the best row by a figure (highest rate or shortest
/// time), in the order of each group's first row.
std::vector<const PointRow*> best_of_footprints(const std::vector<const PointRow*>& rows, std::string_view figure_name);

/// A device's bandwidths in the form of articles: measured and theoretical bytes per unit and
/// cycle, and efficiency.
struct EfficiencyTable {
  std::vector<PointRow> rows;  ///< the table points to these
  PointTable table;
};

/// The best footprint of each question, from the last run; empty if no bandwidth was measured.
EfficiencyTable efficiency_table(const ReportDevice& device);

}  // namespace percycle
