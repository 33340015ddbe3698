#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"

namespace percycle {

/// One question with answers from both APIs on a card.
struct ApiPair {
  std::string experiment;
  std::string question;
  double opencl = 0;
  double vulkan = 0;
  std::string unit;      ///< of both values: "GB/s"
  bool is_rate = false;  ///< more is better
  std::string code{};    ///< difference of the timed loops; empty if unknown or none
  bool on_rise = false;  ///< behind a cache, where a shifted edge is no difference in speed
};

/// Vulkan's speed over OpenCL's, a point per question in the line of its experiment. The five
/// farthest off by more than 5 % are remarks, except on rises. At most `most_points`: the points
/// with the largest differences, and every n-th of the others.
Chart api_pairs(const ChartName& name, std::vector<ApiPair> pairs, std::size_t most_points = 600);

/// A chart for each card with answers to the same questions through both APIs.
std::vector<Chart> api_charts(const std::vector<ReportDevice>& all,
                              const std::map<std::string, std::vector<DeviceRows>>& rows_by_experiment);

}  // namespace percycle
