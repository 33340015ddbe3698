#include "expected/convolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "experiments/programs/parts/program_sizes.hpp"
#include "experiments/programs/parts/result_check.hpp"
#include "platform/all_cores.hpp"

namespace percycle::convolution_experiment {
namespace {

constexpr const char* kChannels = "channels";
constexpr const char* kPixels = "pixels";
constexpr const char* kGroupSize = "group_size";

constexpr std::uint32_t kPixelsOfLane = 4;
constexpr std::uint64_t kFewestPixels = 4096;  // four work-groups
constexpr std::uint32_t kColumns = 3;

const WordsParameter kAllChannels{
    kChannels, {"4", "16"}, "channels of the input and of the output: 288 or 4608 operations on 32 or 128 bytes of a pixel"};

const std::vector<KernelParameter> kConvolutionParameters{{"loops", "layers; 0: no work"},
                                                          {"tile_mask", "of the number of a work-group"},
                                                          {"x_mask", "of the number of an invocation"},
                                                          {"x_bits", ""},
                                                          {"row", "pixels of the input, with its border"},
                                                          {"input_plane", "pixels"},
                                                          {"output_plane", "pixels"},
                                                          {"turns", "three for each plane of the input"},
                                                          {"salt", ""}};

ConvolutionLayer layer_of(const Point& point, std::uint32_t salt) {
  const auto pixels = number<std::uint32_t>(point, kPixels);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(pixels)) - 1;
  return {.channels = number<std::uint32_t>(point, kChannels),
          .width = 1u << ((bits + 1) / 2),
          .height = 1u << (bits / 2),
          .salt = salt};
}

std::uint32_t group_size_of(const Point& point) { return number<std::uint32_t>(point, kGroupSize); }

std::uint32_t tiles_of(const ConvolutionLayer& layer, std::uint32_t group_size) {
  return layer.pixels() / kPixelsOfLane / group_size;
}

ResultWords result_of(const ConvolutionLayer& layer) {
  return {.arrays = layer.channels, .words = layer.pixels(), .stride = layer.pixels()};
}

Outcome compare_pixels(const ConvolutionLayer& layer, std::span<const std::uint32_t> words) {
  const ConvolutionOutput output(layer);
  const std::size_t rows = std::size_t{layer.quads()} * layer.height;
  const auto at = first_on_all_cores(rows, [&](std::size_t row) { return output.first_wrong(words, row); });
  if (!at) return {};
  const auto channel = static_cast<std::uint32_t>(*at / 4 / layer.pixels() * 4 + *at % 4);
  const auto pixel = static_cast<std::uint32_t>(*at / 4 % layer.pixels());
  return {Status::invalid,
          fmt::format("channel {} of pixel {} is {} instead of {}", channel, pixel, std::bit_cast<float>(words[*at]),
                      output.value(channel, pixel % layer.width, pixel / layer.width))};
}

std::vector<std::byte> weight_bytes(std::uint32_t channels) {
  const std::vector<float> weights = convolution_weights(channels);
  const auto bytes = std::as_bytes(std::span(weights));
  return {bytes.begin(), bytes.end()};
}

/// A layer of a network that enlarges images (docs/experiments/programs.md).
class Convolution final : public Experiment {
 public:
  std::string name() const override { return "convolution"; }

  Presentation presentation() const override {
    const auto rule = [](const char* level, const char* channels, std::uint32_t count) {
      return program_rule(level, {{kChannels, channels}}, ConvolutionLayer{.channels = count}.flops_per_pixel(), {kPixels});
    };
    return {.title = "Convolution",
            .question = "How many pixels per second does a 3 x 3 convolution of a network that enlarges images compute?",
            .method =
                "Each channel of a pixel is a weighted sum of 3 x 3 pixels of every channel of the input, in single precision. "
                "With 4 channels the bytes decide, with 16 the multiply-adds. "
                "All numbers are whole, so the sums are exact, and the host computes every one of them. "
                "`percycle ceilings` prints the share of the bandwidth or rate that was measured on the same device.",
            .metric = "1e9 pixels per second, and GB/s: each channel of input and output counts once",
            .operation = "pixel",
            .order = 520,
            .configuration = {kGroupSize},
            .sizes = {kPixels},
            .limits = {{.only = {{kProgramLevel, kInMemory}}, .quantity = Quantity::memory}},
            .takes_all_units = true,
            .bars = {{.y = {figures::kGopsPerS}, .split = {kChannels}}},
            .words = {{kChannels, "", "{} channels"}},
            .programs = {rule(kInCaches, "4", 4), rule(kInMemory, "4", 4), rule(kInCaches, "16", 16), rule(kInMemory, "16", 16)}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kAllChannels, kProgramLevels}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const Search search{{{kGroupSize, program_group_sizes(device, options.preset)}}, 1, Merit::device};
    std::vector<Point> points;
    for (Point& question :
         product({name(), {}}, {{kChannels, numbers(options[kAllChannels])}, {kProgramLevel, options[kProgramLevels]}})) {
      const auto channels = number<std::uint32_t>(question, kChannels);
      const std::uint64_t wanted = program_bytes(device, options.preset, word(question, kProgramLevel)) /
                                   ConvolutionLayer{.channels = channels}.bytes_per_pixel();
      question.parameters[kPixels] = std::bit_floor(std::max(std::min(wanted, most_pixels(device, channels)), kFewestPixels));
      append(points, searched(*this, device, question, search, done));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.model.empty()) return kNotSimulated;
    const ConvolutionLayer layer = layer_of(point, 0);
    if (auto reason = group_unsupported(device, group_size_of(point), {})) return reason;
    if ((layer.input_plane() + kResultBlock - 1) / kResultBlock > device.max_groups)
      return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    const std::uint64_t weights = std::uint64_t{9} * layer.channels * layer.channels * sizeof(float);
    if (weights > device.constant_bytes)
      return fmt::format("a kernel has at most {} of constants", format_bytes(device.constant_bytes));
    const std::uint64_t input = std::uint64_t{layer.input_plane()} * layer.channels * sizeof(float);
    if (const std::uint64_t most = chase_capacity(device, "global-index"); input > most)
      return fmt::format("a storage buffer holds at most {}", format_bytes(most));
    return result_unsupported(device, result_of(layer));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const ConvolutionLayer layer = layer_of(point, DataWords(seed).salt());
    const std::uint32_t group_size = group_size_of(point);
    const std::uint32_t tiles = tiles_of(layer, group_size);
    const auto kernel = [&](const char* role, std::uint32_t size, std::vector<std::byte> constants) {
      return device.create(KernelDesc{.name = "convolution",
                                      .definitions = {{"ROLE", role}, {"QUADS", std::to_string(layer.quads())}},
                                      .local_size = size,
                                      .bindings = {{"source"}, {"result"}},
                                      .parameters = kConvolutionParameters,
                                      .constants = std::move(constants)});
    };
    const auto timed = kernel("ROLE_TIMED", group_size, weight_bytes(layer.channels));
    const auto filling = kernel("ROLE_FILL", kResultBlock, {});
    const std::uint64_t pixel_bytes = layer.channels * sizeof(float);
    const auto source = device.create(BufferDesc{layer.input_plane() * pixel_bytes});
    const auto result = device.create(BufferDesc{layer.pixels() * pixel_bytes});
    const auto dispatch = [&](const std::shared_ptr<Kernel>& made, std::uint32_t groups) {
      return Dispatch{made,
                      {{source, nullptr}, {result, nullptr}},
                      {{"loops", 0},
                       {"tile_mask", tiles - 1},
                       {"x_mask", layer.width - 1},
                       {"x_bits", static_cast<std::uint32_t>(std::bit_width(layer.width)) - 1},
                       {"row", layer.row()},
                       {"input_plane", layer.input_plane()},
                       {"output_plane", layer.pixels()},
                       {"turns", kColumns * layer.quads()},
                       {"salt", layer.salt}},
                      groups};
    };
    Trial trial;
    trial.setup = {dispatch(filling, (layer.input_plane() + kResultBlock - 1) / kResultBlock)};
    trial.timed.dispatch = dispatch(timed, tiles);
    trial.timed.groups_per_loop = tiles;
    trial.timed.max_loops = most_steps(device.info(), tiles);
    trial.timed.ops_per_loop = kPixelsOfLane;
    trial.timed.verify = ResultCheck(device, result_of(layer), result,
                                     [layer](std::span<const std::uint32_t> words) { return compare_pixels(layer, words); });
    trial.repeatable = true;
    const std::uint32_t lanes = tiles * group_size;
    trial.work = Work{.bytes_per_op = std::uint64_t{lanes} * layer.bytes_per_pixel(),
                      .group_bytes_per_op = std::uint64_t{group_size} * layer.bytes_per_pixel()};
    trial.participants = Participants{.dispatch = lanes, .group = group_size};
    observe_execution(trial, device);
    apply_role(trial, point);
    return trial;
  }

 private:
  /// Without the border of the input, which is a sixteenth in the smallest layer.
  static std::uint64_t most_pixels(const DeviceInfo& device, std::uint32_t channels) {
    const std::uint64_t of_buffer = chase_capacity(device, "global-index") / channels / sizeof(float);
    return std::min(of_buffer, device.max_groups * kResultBlock) / 9 * 8;
  }
};

const RegisterExperiment registered(std::make_unique<Convolution>());

}  // namespace
}  // namespace percycle::convolution_experiment
