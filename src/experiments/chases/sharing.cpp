#include <algorithm>
#include <array>

#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/level_chains.hpp"
#include "experiments/chases/parts/private_caches.hpp"
#include "experiments/chases/parts/sharing.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/sharing.hpp"

namespace percycle::sharing_experiment {
namespace {

constexpr const char* kOther = "global-index";  // partner of the other paths; path of test units
constexpr const char* kConstant = "constant";
constexpr double kNearlyAll = 0.9;  // of the chain of a level: two still do not fit
constexpr std::array<const char*, 2> kFirstPaths{"texture", kConstant};

const WordsParameter kTests{
    parameter::kTest,
    {sharing_test::kPaths, sharing_test::kUnits, sharing_test::kConstants},
    "paths,units",
    "paths: texture or constant loads together with global ones; units: two work-groups on two units; constants: the same with "
    "constants"};

std::uint64_t small_chain(const LevelChain& chain) { return 2 * chain.stride_bytes; }

/// Test `paths` walks chains that fit the first level of two paths, in turns. Each also runs with
/// two lines of the other path, which separates a change of path from an eviction. Test `units`
/// walks two chains that fit a level alone but not together, on one and on two units.
class Sharing final : public Experiment {
 public:
  std::string name() const override { return experiment::kSharing; }
  Presentation presentation() const override {
    return {.title = "Shared caches",
            .question = "Do two paths evict each other's data from a common cache, and which levels do units share?",
            .method =
                "Two chains are walked in turn, through two paths or on two units. "
                "If one evicts the data of the other, they share a cache.",
            .metric = "load-to-use latency of a chain while another path or unit walks a second chain: ns and cycles per load",
            .operation = "load",
            .order = 150};
  }

  std::vector<ParameterSpec> parameters() const override { return {kTests}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const auto is_chosen = [&](const char* test) { return options.has(kTests, test); };
    std::vector<Point> points;
    if (is_chosen(sharing_test::kPaths) || is_chosen(sharing_test::kUnits))
      points = latency_prerequisite(device, options, done, kOther);
    for (const char* path : kFirstPaths) {
      if (!is_chosen(sharing_test::kPaths) && !(path == kConstant && is_chosen(sharing_test::kConstants))) continue;
      append(points, latency_prerequisite(device, options, done, path));
    }
    if (!points.empty()) return points;
    const auto levels = level_chains(done, kOther);
    for (const char* path : kFirstPaths) {
      if (is_chosen(sharing_test::kPaths)) add_pair(points, path, level_chains(done, path), levels);
    }
    if (is_chosen(sharing_test::kUnits)) add_units(points, device, kOther, levels);
    if (is_chosen(sharing_test::kConstants)) add_units(points, device, kConstant, constant_chains(device, done));
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!is_pair(point)) {
      if (device.units && device.units->value < 2) return "the device has only one unit";
      const SideChains chains = chains_of(point);
      if (auto reason = side_chains_unsupported(device, chains)) return reason;
      if (chains.chain_bytes == 0) return "percycle found no first-level edge on this path";
      return std::nullopt;
    }
    const PathTurns turns = turns_of(point);
    if (auto reason = path_turns_unsupported(device, turns)) return reason;
    for (const auto& side : {turns.first, turns.second}) {
      if (side.bytes == 0) return "percycle found no first-level edge on the " + side.path + " path";
    }
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    return is_pair(point) ? path_turns_trial(device, turns_of(point), seed) : side_chains_trial(device, chains_of(point), seed);
  }

 private:
  void add_pair(std::vector<Point>& points, const char* path, const std::vector<LevelChain>& first,
                const std::vector<LevelChain>& second) const {
    const LevelChain a = first.empty() ? LevelChain{} : first.front();
    const LevelChain b = second.empty() ? LevelChain{} : second.front();
    const auto add = [&, this](std::uint64_t a_bytes, std::uint64_t b_bytes) {
      points.push_back({name(),
                        {{parameter::kTest, sharing_test::kPaths},
                         {parameter::kFirst, path},
                         {parameter::kFirstBytes, a_bytes},
                         {parameter::kFirstStride, a.stride_bytes},
                         {parameter::kSecond, kOther},
                         {parameter::kSecondBytes, b_bytes},
                         {parameter::kSecondStride, b.stride_bytes}}});
    };
    add(a.bytes, b.bytes);
    if (a.bytes == 0 || b.bytes == 0) return;
    add(a.bytes, small_chain(b));
    add(small_chain(a), b.bytes);
    add(small_chain(a), small_chain(b));
  }

  /// The chains of the levels of constants, a little shorter if two would not fit constant memory.
  static std::vector<LevelChain> constant_chains(const DeviceInfo& device, std::span<const PointResult> done) {
    auto chains = level_chains(done, kConstant);
    for (LevelChain& chain : chains) {
      const std::uint64_t half = device.constant_bytes / 2 / chain.stride_bytes * chain.stride_bytes;
      if (static_cast<double>(half) >= kNearlyAll * static_cast<double>(chain.bytes)) chain.bytes = std::min(chain.bytes, half);
    }
    return chains;
  }

  void add_units(std::vector<Point>& points, const DeviceInfo& device, const std::string& path,
                 const std::vector<LevelChain>& levels) const {
    for (const auto& level : levels.empty() ? std::vector<LevelChain>{{}} : levels) {
      Point point{name(),
                  {{parameter::kTest, sharing_test::kUnits},
                   {parameter::kPath, path},
                   {parameter::kBytes, level.bytes},
                   {parameter::kStride, level.stride_bytes},
                   {parameter::kGroups, 2}}};
      points.push_back(point);
      if (unsupported(device, point)) continue;
      point.parameters[parameter::kGroups] = 1;
      points.push_back(point);
    }
  }

  static bool is_pair(const Point& point) { return word(point, parameter::kTest) == sharing_test::kPaths; }

  static PathTurns turns_of(const Point& point) {
    const auto side = [&](const char* path, const char* bytes, const char* stride) {
      return PathTurns::TurnSide{word(point, path), number(point, bytes), number(point, stride)};
    };
    return {side(parameter::kFirst, parameter::kFirstBytes, parameter::kFirstStride),
            side(parameter::kSecond, parameter::kSecondBytes, parameter::kSecondStride)};
  }

  static SideChains chains_of(const Point& point) {
    return {.path = word(point, parameter::kPath),
            .chain_bytes = number(point, parameter::kBytes),
            .stride_bytes = number(point, parameter::kStride),
            .walking = 1,
            .groups = number<std::uint32_t>(point, parameter::kGroups)};
  }
};

const RegisterExperiment registered(std::make_unique<Sharing>());

}  // namespace
}  // namespace percycle::sharing_experiment
