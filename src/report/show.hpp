#pragma once

#include <map>
#include <string>

#include "limits/limits.hpp"
#include "report/experiment_table.hpp"
#include "report/point_filter.hpp"
#include "store/load.hpp"

namespace percycle {

struct ShowOptions {
  TableWidth width = TableWidth::narrow;
  PointFilter filter{};
  std::map<std::string, std::string> names{};  ///< of devices by the header's id; absent: the device's own name
};

/// The text of `percycle show` for a file: for each run a heading, a table per experiment with the
/// catalogue's limits, the measured clocks, and the number of points by status.
std::string show(const LoadedFile& file, const LimitsCatalogue& catalogue, const ShowOptions& options = {});

}  // namespace percycle
