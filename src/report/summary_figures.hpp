#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// A main figure of a device.
struct SummaryValue {
  std::string line;   ///< "bandwidth"
  std::string name;   ///< "L1"
  std::string words;  ///< "33.43 TB/s (127.9 B/SM/cycle, 99.9 % of limit)"
  double value = 0;   ///< in the unit of its figure, which all devices share
  /// The order of its section, and its position there.
  std::pair<int, std::size_t> place{};
};

/// The figures that the presentations of a device's experiments name, in the order of their
/// sections.
std::vector<SummaryValue> summary_figures(const ReportDevice& device);

/// "1980 MHz (median of all points; 1500 to 1995 MHz); up to 690 W"; empty if nothing was read.
std::string clock_words(const ReportDevice& device);

}  // namespace percycle
