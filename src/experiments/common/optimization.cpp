#include "experiments/common/optimization.hpp"

#include <utility>

namespace percycle {
std::vector<std::string> optimization_levels(const Options& options) {
  std::vector<std::string> levels;
  for (const std::string& word : options[kOptimize]) levels.emplace_back(word == "on" ? optimization::kOn : optimization::kOff);
  return levels;
}

bool is_optimized(const Point& point) { return !has_word(point.parameters, parameter::kOptimization, optimization::kOff); }

std::shared_ptr<Kernel> optimized_twin(Device& device, KernelDesc desc) {
  desc.optimize = true;
  return device.create(desc);
}

}  // namespace percycle
