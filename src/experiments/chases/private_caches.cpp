#include <fmt/format.h>

#include "core/figures.hpp"
#include "experiments/chases/parts/level_chains.hpp"
#include "experiments/chases/parts/private_caches.hpp"
#include "experiments/common/path_words.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/private_caches.hpp"

namespace percycle::private_caches_experiment {
namespace {

const WordsParameter kPaths{
    parameter::kPath, {"texture", "global-index", "constant"}, "texture,global-index", "memory paths to examine"};

/// The method of Chips and Cheese, "Inside Kepler", section Texture Caching. One chain fits the
/// first level, two do not. So a second subgroup slows the first one down exactly if both use the
/// same copy.
class PrivateCaches final : public Experiment {
 public:
  std::string name() const override { return experiment::kPrivateCaches; }
  Presentation presentation() const override {
    return {.title = "Private copies of the first cache",
            .question = "How many copies of its first-level cache does a unit have, and which subgroups share one?",
            .method =
                "Several subgroups of one unit walk one chain each. Each chain alone fits the first cache. Subgroups that slow "
                "each other down share a cache.",
            .metric = "load-to-use latency of subgroup 0 while other subgroups walk their chains: ns and cycles per load",
            .operation = "load",
            .order = 140,
            .curves = {{.name = "private-caches",
                        .title = "Latency of a load beside other chains",
                        .only = {{parameter::kTest, private_caches_test::kCount}},
                        .x = parameter::kActive,
                        .x_title = "chains",
                        .x_scale = AxisScale::linear,
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                        .split = {parameter::kPath}}},
            .words = path_words()};
  }

  std::vector<ParameterSpec> parameters() const override { return {kPaths}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const std::uint32_t subgroups = side_group(device).subgroups;
    std::vector<Point> points;
    for (const std::string& path : options[kPaths]) {
      if (subgroups < 2) break;  // unsupported, so latencies are not needed
      append(points, latency_prerequisite(device, options, done, path));
    }
    if (!points.empty()) return points;
    for (const std::string& path : options[kPaths]) {
      const auto chains = level_chains(done, path);
      const LevelChain first = chains.empty() ? LevelChain{} : chains.front();
      const Point point{name(),
                        {{parameter::kPath, path}, {parameter::kBytes, first.bytes}, {parameter::kStride, first.stride_bytes}}};
      const auto add = [&, this](const char* test, const char* varied, std::uint32_t most) {
        for (std::uint32_t value = 1; value <= most; ++value) {
          Point each = point;
          each.parameters.insert({{parameter::kTest, test}, {varied, value}});
          // If the first value is unsupported, all are: one point reports it.
          if (value == 1 || !unsupported(device, each)) points.push_back(std::move(each));
        }
      };
      add(private_caches_test::kCount, parameter::kActive, subgroups);
      if (first.bytes > 0) add(private_caches_test::kPair, parameter::kOther, subgroups - 1);
    }
    return points;
  }

  /// Only --set path=constant leads to this program.
  std::vector<Point> conditional_points(const DeviceInfo&) const override {
    return {{name(),
             {{parameter::kPath, "constant"},
              {parameter::kTest, private_caches_test::kCount},
              {parameter::kActive, 1},
              {parameter::kBytes, 1024},
              {parameter::kStride, 64}}}};
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (device.subgroup_sizes.empty()) return "the device reports no subgroup size";
    if (const GroupShape shape = side_group(device); shape.subgroups < 2) {
      return fmt::format("a work-group of at most {} invocations holds only one subgroup of {}", device.max_group_size,
                         shape.subgroup_size);
    }
    const SideChains chains = chains_of(point);
    if (auto reason = side_chains_unsupported(device, chains)) return reason;
    if (chains.chain_bytes == 0) return "percycle found no first-level edge on this path";
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    return side_chains_trial(device, chains_of(point), seed);
  }

 private:
  static SideChains chains_of(const Point& point) {
    const std::uint32_t walking = word(point, parameter::kTest) == private_caches_test::kCount
                                      ? (1u << number<std::uint32_t>(point, parameter::kActive)) - 1
                                      : 1u | 1u << number<std::uint32_t>(point, parameter::kOther);
    return {.path = word(point, parameter::kPath),
            .chain_bytes = number(point, parameter::kBytes),
            .stride_bytes = number(point, parameter::kStride),
            .walking = walking,
            .groups = 1};
  }
};

const RegisterExperiment registered(std::make_unique<PrivateCaches>());

}  // namespace
}  // namespace percycle::private_caches_experiment
