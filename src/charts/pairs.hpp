#pragma once

#include <string>
#include <vector>

#include "charts/chart.hpp"

namespace percycle {

/// One question that a card answered through both APIs.
struct ApiPair {
  std::string experiment;
  std::string question;
  double opencl = 0;
  double vulkan = 0;
  std::string unit;  ///< of both: "GB/s"
};

/// How many times OpenCL's figures Vulkan's are, a point for each question in the line of its experiment; those more than 5 % off have another
/// shape. At most `most_points`: of each experiment those that differ most, and of the others every n-th.
Chart api_pairs(const std::string& name, const std::string& title, std::vector<ApiPair> pairs, std::size_t most_points);

}  // namespace percycle
