#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/recording_device.hpp"
#include "codegen/programs/timed_kernels.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/optimization.hpp"

namespace percycle::optimization_test {
namespace {

std::vector<Point> planned(const std::string& name, const std::map<std::string, std::string>& set) {
  const Experiment* experiment = find_experiment(name);
  const Options options = make_options({&experiment, 1}, set, Preset::quick, 1).front();
  return experiment->plan(imagined_gpu(Api::vulkan, "rdna"), options, {});
}

bool is_off(const Point& point) { return has_word(point.parameters, parameter::kOptimization, optimization::kOff); }

}  // namespace

TEST_CASE("optimization: points of each level, each with its kernel") {
  const std::map<std::string, std::map<std::string, std::string>> experiments{
      {"instruction-latency", {{"operation", "int32-add"}}}, {"latency", {{"path", "global"}, {"max", "1K"}}}};
  for (const auto& pair : experiments) {
    const auto& name = pair.first;
    const auto& set = pair.second;
    CAPTURE(name);
    auto both = set;
    both["optimize"] = "on,off";
    const std::vector<Point> points = planned(name, both);
    REQUIRE(points.size() == 2);
    CHECK_FALSE(is_off(points[0]));
    CHECK(is_off(points[1]));
    CHECK(planned(name, set) == std::vector<Point>{points[0]});

    RecordingDevice device(imagined_gpu(Api::vulkan, "rdna"));
    const auto kernels = timed_kernels(device.info(), points, 1);
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].desc.optimize);
    CHECK_FALSE(kernels[0].optimized);
    CHECK_FALSE(kernels[1].desc.optimize);
    REQUIRE(kernels[1].optimized);
    CHECK(kernels[1].optimized->optimize);
    CHECK(kernels[1].optimized->definitions == kernels[0].desc.definitions);
    const auto compiled = compile(device, kernels, [] {});
    CHECK_FALSE(compiled[0].optimized);
    CHECK(compiled[1].optimized);
  }
}

}  // namespace percycle::optimization_test
