// An experiment as a newcomer adds it: this file and one kernel pair. toy.sh shows that no other
// file needs a change.
#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "device/kernel_source.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "toy/toy_source.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kGroups = 4;
constexpr std::uint32_t kGroupSize = 32;
constexpr std::uint64_t kLanes = std::uint64_t{kGroups} * kGroupSize;
constexpr std::uint32_t kMostLoops = 1 << 16;

const WordsParameter kDirections{"direction", {"up", "down"}, "order of the words"};

class Toy final : public Experiment {
 public:
  std::string name() const override { return "toy"; }
  Presentation presentation() const override {
    return {.title = "Toy bandwidth",
            .question = "How many bytes per second do a few work-groups load when all of them read the same words?",
            .method = "Every invocation adds up the same words again and again. The host knows the sum and checks each of them.",
            .metric = "load bandwidth: GB/s",
            .operation = "load",
            .order = 900,
            .configuration = {"group_size"},
            .sizes = {"footprint"},
            .limits = {{.only = {{"direction", "up"}}, .quantity = Quantity::memory}},
            .curves = {{.name = "toy-footprint",
                        .title = "Toy bandwidth by footprint",
                        .x = "footprint",
                        .x_title = "footprint",
                        .x_scale = AxisScale::bytes,
                        .y = {"gb_per_s"}}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kDirections}; }

  std::vector<Point> plan(const DeviceInfo&, const Options& options, std::span<const PointResult>) const override {
    return product({name(), {{"group_size", kGroupSize}}},
                   {{"direction", options[kDirections]}, {"footprint", std::vector{4096, 8192}}});
  }

  std::optional<std::string> unsupported(const DeviceInfo&, const Point&) const override { return std::nullopt; }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    std::vector<std::uint32_t> words(number(point, "footprint") / sizeof(std::uint32_t));
    std::iota(words.begin(), words.end(), static_cast<std::uint32_t>(seed));
    const auto sum = std::accumulate(words.begin(), words.end(), std::uint32_t{0});
    const auto data = device.create(BufferDesc{words.size() * sizeof(std::uint32_t)});
    device.write(*data, 0, std::as_bytes(std::span(words)));
    const auto sums = device.create(BufferDesc{kLanes * sizeof(std::uint32_t)});
    KernelDesc desc{.name = "toy",
                    .definitions = {},
                    .local_size = kGroupSize,
                    .bindings = {{"data"}, {"sums"}},
                    .parameters = {{"loops", ""}, {"words", "a power of two"}},
                    .constants = {},
                    .subgroup_size = {}};
    if (word(point, "direction") == "down") desc.definitions["DOWN"] = "1";

    Trial trial;
    const auto count = static_cast<std::uint32_t>(words.size());
    trial.timed.dispatch = {device.create(desc), {{data, nullptr}, {sums, nullptr}}, {{"loops", 0u}, {"words", count}}, kGroups};
    // Iterations of both loops count.
    const std::uint64_t iterations = device.info().max_loop_iterations.value_or(UINT32_MAX);
    trial.timed.max_loops = std::min<std::uint64_t>(kMostLoops, (iterations - 1) / (count + 1));
    trial.timed.ops_per_loop = count;
    trial.timed.turn = {{.path = MemoryPath::global, .width = 4, .count = 1}};
    trial.timed.verify = [sums, sum](Device& on, std::uint64_t loops) {
      std::vector<std::uint32_t> found(kLanes);
      on.read(*sums, 0, std::as_writable_bytes(std::span(found)));
      const std::uint32_t expected = static_cast<std::uint32_t>(loops) * sum;
      for (const std::uint32_t one : found) {
        if (one != expected) return Outcome{Status::invalid, fmt::format("a sum is {} instead of {}", one, expected)};
      }
      return Outcome{};
    };
    trial.work = Work{.bytes_per_op = kLanes * 4, .group_bytes_per_op = std::uint64_t{kGroupSize} * 4};
    return trial;
  }
};

const RegisterExperiment registered(std::make_unique<Toy>());
const AddKernelSource opencl("toy.cl", toy_source("toy.cl"));
const AddKernelSource vulkan("toy.comp", toy_source("toy.comp"));

}  // namespace
}  // namespace percycle
