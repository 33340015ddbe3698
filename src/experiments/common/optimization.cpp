#include "experiments/common/optimization.hpp"

#include <utility>

#include "experiments/common/word_list.hpp"

namespace percycle {
namespace {

constexpr const char* kOptimize = "optimize";

}  // namespace

ParameterSpec optimize_parameter() {
  return {kOptimize,
          ParameterSpec::Type::words,
          {"on", "off"},
          "on",
          "off: tell the driver's compiler not to optimise (-cl-opt-disable, VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT)"};
}

std::vector<std::string> optimization_levels(const Options& options) {
  std::vector<std::string> levels;
  for (const std::string& word : word_list(options.value(kOptimize)))
    levels.emplace_back(word == "on" ? optimization::kOn : optimization::kOff);
  return levels;
}

bool is_optimized(const Point& point) { return !has_word(point.parameters, parameter::kOptimization, optimization::kOff); }

std::shared_ptr<Kernel> optimized_twin(Device& device, KernelDesc desc) {
  desc.optimize = true;
  return device.create(desc);
}

}  // namespace percycle
