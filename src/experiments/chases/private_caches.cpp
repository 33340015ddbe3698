#include <fmt/format.h>

#include "experiments/chases/parts/level_chains.hpp"
#include "experiments/chases/parts/private_caches.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/private_caches.hpp"

namespace percycle::private_caches_experiment {
namespace {

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
                        .title = "Latency by the number of chains",
                        .only = {{parameter::kTest, private_caches_test::kCount}},
                        .x = parameter::kActive,
                        .x_title = "chains",
                        .x_along = Along::linear,
                        .y = {"cycles_per_op", "ns_per_op"},
                        .split = {parameter::kPath}}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {{parameter::kPath,
             ParameterSpec::Type::words,
             {"texture", "global-index", "constant"},
             "texture,global-index",
             "memory paths to examine"}};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const auto paths = word_list(options.value(parameter::kPath));
    const std::uint32_t subgroups = side_group(device).subgroups;
    std::vector<Point> points;
    for (const auto& path : paths) {
      if (subgroups < 2) break;  // unsupported, so latencies are not needed
      const auto open = latency_prerequisite(device, options, done, path);
      points.insert(points.end(), open.begin(), open.end());
    }
    if (!points.empty()) return points;
    for (const auto& path : paths) {
      const auto chains = level_chains(done, path);
      const LevelChain first = chains.empty() ? LevelChain{} : chains.front();
      Point point{name(),
                  {{parameter::kPath, path},
                   {parameter::kBytes, static_cast<std::int64_t>(first.bytes)},
                   {parameter::kStride, static_cast<std::int64_t>(first.stride_bytes)}}};
      const auto add = [&, this](const std::string& test, const std::string& name, std::uint32_t value) {
        point.parameters[parameter::kTest] = test;
        point.parameters[name] = std::int64_t{value};
        // If the first value is unsupported, all are: one point reports it.
        if (value == 1 || !unsupported(device, point)) points.push_back(point);
        point.parameters.erase(name);
      };
      for (std::uint32_t active = 1; active <= subgroups; ++active) add(private_caches_test::kCount, parameter::kActive, active);
      for (std::uint32_t other = 1; first.bytes > 0 && other < subgroups; ++other)
        add(private_caches_test::kPair, parameter::kOther, other);
    }
    return points;
  }

  /// Only --set path=constant leads to this program.
  std::vector<Point> rare_points(const DeviceInfo&) const override {
    return {{name(),
             {{parameter::kPath, "constant"},
              {parameter::kTest, private_caches_test::kCount},
              {parameter::kActive, std::int64_t{1}},
              {parameter::kBytes, std::int64_t{1024}},
              {parameter::kStride, std::int64_t{64}}}}};
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
    const auto& parameters = point.parameters;
    const auto number = [&](const char* name) { return static_cast<std::uint32_t>(integer(parameters, name)); };
    const std::uint32_t walking = word(parameters, parameter::kTest) == private_caches_test::kCount
                                      ? (1u << number(parameter::kActive)) - 1
                                      : 1u | 1u << number(parameter::kOther);
    return {.path = word(parameters, parameter::kPath),
            .chain_bytes = static_cast<std::uint64_t>(integer(parameters, parameter::kBytes)),
            .stride_bytes = static_cast<std::uint64_t>(integer(parameters, parameter::kStride)),
            .walking = walking,
            .groups = 1};
  }
};

const RegisterExperiment registered(std::make_unique<PrivateCaches>());

}  // namespace
}  // namespace percycle::private_caches_experiment
