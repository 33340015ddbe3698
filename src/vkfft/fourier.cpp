#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "expected/fourier.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "experiments/programs/parts/fourier_program.hpp"
#include "experiments/programs/parts/program_sizes.hpp"
#include "experiments/programs/parts/result_check.hpp"
#include "platform/all_cores.hpp"
#include "vkfft/plan.hpp"

namespace percycle::fourier_experiment {
namespace {

constexpr std::uint32_t kArrays = 4;  // of the result, so that few blocks are added up
constexpr std::uint64_t kMostLaunches = 4096;
// A share of the mean size of the results. Rounding alone reaches 2e-6 (lavapipe, 1048576 points).
// A number in the wrong place differs by as much as the numbers themselves.
constexpr double kTolerance = 1e-4;
constexpr double kMeanSquare = 2.0 / 3;  // of an input: both parts are even between -1 and 1

const WordsParameter kLengths{
    kFourierLength, {"256", "4096", "1048576"}, "points of a transform: 40, 60 or 100 operations on 16 bytes of a point"};

struct Transforms {
  std::uint64_t length = 0;
  std::uint64_t batches = 0;

  std::uint64_t points() const { return length * batches; }
  std::uint64_t buffer_bytes() const { return points() * kFourierPointBytes / 2; }
};

Transforms transforms_of(const Point& point) {
  return {.length = number(point, kFourierLength), .batches = number(point, kFourierBatches)};
}

ResultWords result_of(const Transforms& transforms) {
  const auto words = static_cast<std::uint32_t>(2 * transforms.points() / kArrays);
  return {.arrays = kArrays, .words = words, .stride = words};
}

/// A part of an input, exact in single precision.
float input_part(const DataWords& words, std::uint64_t index) {
  return static_cast<float>(words.word(index) >> 8u) * 0x1p-23f - 1;
}

/// Writes the inputs. Throws DeviceError.
void write_inputs(Device& device, Buffer& input, const DataWords& words) {
  std::vector<float> parts(input.bytes() / sizeof(float));
  constexpr std::size_t kPart = 1 << 16;
  on_all_cores((parts.size() + kPart - 1) / kPart, [&](std::size_t part) {
    const std::size_t end = std::min(parts.size(), (part + 1) * kPart);
    for (std::size_t i = part * kPart; i < end; ++i) parts[i] = input_part(words, i);
  });
  device.write(input, 0, std::as_bytes(std::span(parts)));
}

/// Compares every number of every transform.
Outcome compare_transforms(const Transforms& transforms, const DataWords& inputs, std::span<const std::uint32_t> found) {
  const FourierTransform fourier(transforms.length);
  const double allowed = kTolerance * std::sqrt(kMeanSquare * static_cast<double>(transforms.length));
  const auto first_wrong = [&](std::size_t batch) -> std::optional<std::string> {
    const std::uint64_t begin = batch * transforms.length;
    std::vector<std::complex<double>> values(transforms.length);
    for (std::uint64_t i = 0; i < transforms.length; ++i)
      values[i] = {input_part(inputs, 2 * (begin + i)), input_part(inputs, 2 * (begin + i) + 1)};
    fourier.transform(values);
    for (std::uint64_t i = 0; i < transforms.length; ++i) {
      const std::complex<double> number{std::bit_cast<float>(found[2 * (begin + i)]),
                                        std::bit_cast<float>(found[2 * (begin + i) + 1])};
      if (std::abs(number - values[i]) <= allowed) continue;  // false for NaN
      return fmt::format("number {} of transform {} is {:g}{:+g}i instead of {:g}{:+g}i", i, batch, number.real(), number.imag(),
                         values[i].real(), values[i].imag());
    }
    return std::nullopt;
  };
  const auto wrong = first_on_all_cores(transforms.batches, first_wrong);
  return wrong ? Outcome{Status::invalid, *wrong} : Outcome{};
}

/// VkFFT as a program that people run (docs/experiments/programs.md).
class Fourier final : public Experiment {
 public:
  std::string name() const override { return kFourier; }
  Presentation presentation() const override { return fourier_presentation(); }

  std::vector<ParameterSpec> parameters() const override { return {kLengths, kProgramLevels}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult>) const override {
    std::vector<Point> points;
    for (Point& point :
         product({name(), {}}, {{kFourierLength, numbers(options[kLengths])}, {kProgramLevel, options[kProgramLevels]}})) {
      const std::string& level = word(point, kProgramLevel);
      const std::uint64_t length = number(point, kFourierLength);
      const std::uint64_t bytes = std::min(program_bytes(device, options.preset, level), most_bytes(device));
      if (level == kInCaches && length * kFourierPointBytes > 2 * bytes) continue;
      point.parameters[kFourierBatches] = std::bit_floor(std::max<std::uint64_t>(bytes / kFourierPointBytes / length, 1));
      points.push_back(std::move(point));
    }
    if (points.empty()) throw UsageError("--set level=l2: the shared caches do not hold one transform of this length");
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.model.empty()) return "VkFFT compiles no kernels for simulated devices";
    const Transforms transforms = transforms_of(point);
    if (const std::uint64_t most = most_bytes(device); 2 * transforms.buffer_bytes() > most)
      return fmt::format("two buffers of {} do not fit", format_bytes(transforms.buffer_bytes()));
    return result_unsupported(device, result_of(transforms));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const Transforms transforms = transforms_of(point);
    const FourierPlan plan{.length = transforms.length,
                           .batches = transforms.batches,
                           .input = device.create(BufferDesc{transforms.buffer_bytes()}),
                           .output = device.create(BufferDesc{transforms.buffer_bytes()})};
    Trial trial;
    trial.timed.dispatch.kernel = device.info().api == Api::opencl ? opencl_plan(plan) : vulkan_plan(plan);
    if (!trial.timed.dispatch.kernel) return trial;  // a device that only records the kernels
    const DataWords inputs(seed);
    write_inputs(device, *plan.input, inputs);
    trial.timed.loops_parameter.clear();
    trial.timed.launches.emplace();
    trial.timed.max_loops = kMostLaunches;
    trial.timed.verify = ResultCheck(
        device, result_of(transforms), plan.output,
        [transforms, inputs](std::span<const std::uint32_t> found) { return compare_transforms(transforms, inputs, found); });
    trial.repeatable = true;
    const auto points = static_cast<std::uint32_t>(transforms.points());
    trial.work = Work{.bytes_per_op = points * kFourierPointBytes, .group_bytes_per_op = points * kFourierPointBytes};
    trial.participants = Participants{.dispatch = points, .group = points};
    return trial;
  }

 private:
  static std::uint64_t most_bytes(const DeviceInfo& device) { return 2 * chase_capacity(device, "global-index"); }
};

const RegisterExperiment registered(std::make_unique<Fourier>());

}  // namespace
}  // namespace percycle::fourier_experiment
