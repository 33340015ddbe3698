#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/point_table.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// "private", "width 16", "footprint 4 KiB"; empty where the row has no such parameter.
std::string parameter_words(const PointRow& row, const std::string& name);

/// The words of some parameters, with commas between.
std::string parameter_words(const PointRow& row, const std::vector<std::string>& names);

/// The parameters that are not the same in all rows, without those that a search chose and `without`.
std::vector<std::string> varying_parameters(const std::vector<const PointRow*>& rows, const std::set<std::string>& without);

/// Of the rows that ask the same but for the footprint the best by a figure, in the order of the first of each: the highest rate or the shortest time.
std::vector<const PointRow*> best_of_footprints(const std::vector<const PointRow*>& rows, std::string_view figure_name);

/// The bandwidths of a device as articles print them: measured, in bytes per unit and cycle, what both are in theory, and the efficiency.
struct EfficiencyTable {
  std::vector<PointRow> rows;  ///< that the table points to
  PointTable table;
};

/// Of each question the best footprint, of all runs the last; empty where no bandwidth was measured.
EfficiencyTable efficiency_table(const ReportDevice& device);

}  // namespace percycle
