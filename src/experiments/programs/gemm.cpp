#include "expected/gemm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/configuration.hpp"
#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/slow_device.hpp"
#include "experiments/experiment.hpp"
#include "experiments/programs/parts/program_sizes.hpp"
#include "experiments/programs/parts/result_check.hpp"
#include "platform/all_cores.hpp"

namespace percycle::gemm_experiment {
namespace {

constexpr const char* kType = "type";
constexpr const char* kEngine = "engine";
constexpr const char* kSize = "size";
constexpr const char* kTile = "tile";
constexpr const char* kGroupSize = "group_size";

constexpr const char* kFp64 = "fp64";
constexpr const char* kFp32 = "fp32";
constexpr const char* kFp16 = "fp16";
constexpr const char* kInt8 = "int8";
constexpr const char* kLanes = "lanes";
constexpr const char* kDot = "dot";

constexpr std::uint32_t kVectorBytes = 16;
constexpr std::uint32_t kPartsOfStep = 4;  // 16 bytes each, in local memory
constexpr std::uint32_t kTileStride = 5;   // parts from one row to the next
constexpr std::uint32_t kResultArrays = 16;
constexpr std::uint32_t kMostLaunches = 1 << 14;
// The host compares every word for each configuration, so larger sizes take that of the one before.
constexpr std::int64_t kLargestSearched = 2048;
constexpr double kLongestProductNs = 100e6;

const WordsParameter kTypes{
    kType,
    {kFp64, kFp32, kFp16, kInt8},
    "type of the factors: fp64, fp32: sums have the same type; fp16: sums have 32 bits; int8: sums are 32-bit integers"};
const WordsParameter kSizes{kSize,
                            {"256", "512", "1024", "2048", "4096", "8192"},
                            ParameterSpec::kAutomatic,
                            "rows and columns of the matrices; auto: all (quick: 2048, on CPUs 256) up to a product of 0.1 s"};

const std::vector<KernelParameter> kGemmParameters{{"size", "rows and columns"},
                                                   {"row_vectors", "of 16 bytes in a row of a factor"},
                                                   {"tile_bits", "2^tile_bits work-groups make a row of tiles"},
                                                   {"steps", "along a row of a factor"},
                                                   {"salt", ""}};

/// One way to multiply.
struct GemmForm {
  const char* type;
  const char* engine;
  const char* definition;
  std::uint32_t bytes;    ///< of a number of a factor
  std::uint32_t fetched;  ///< vectors of a row in a step, as in the kernel
  GemmSums sums;
};

const std::vector<GemmForm> kForms{{kFp64, kLanes, "FORM_FP64", 8, 4, GemmSums::fp64},
                                   {kFp32, kLanes, "FORM_FP32", 4, 4, GemmSums::fp32},
                                   {kFp16, kLanes, "FORM_FP16", 2, 2, GemmSums::fp32},
                                   {kInt8, kLanes, "FORM_INT8", 1, 1, GemmSums::int32},
                                   {kInt8, kDot, "FORM_INT8_DOT", 1, 4, GemmSums::int32}};

/// A point.
struct Gemm {
  const GemmForm* form = nullptr;
  std::uint32_t size = 0;
  std::uint32_t tile = 0;  ///< rows and columns that a work-group computes
  std::uint32_t group_size = 0;

  std::uint32_t row_vectors() const { return size * form->bytes / kVectorBytes; }
  std::uint32_t tiles_of_row() const { return size / tile; }
  std::uint32_t tiles() const { return tiles_of_row() * tiles_of_row(); }
  /// Invocations along an edge of a work-group.
  std::uint32_t side() const { return 1u << (static_cast<std::uint32_t>(std::bit_width(group_size)) / 2); }
  std::uint32_t results_of_edge() const { return tile / side(); }
  std::uint64_t ops_of_lane() const { return std::uint64_t{2} * results_of_edge() * results_of_edge() * size; }
  std::uint64_t factor_bytes() const { return std::uint64_t{2} * size * size * form->bytes; }
  std::uint32_t words() const { return size * size * (form->sums == GemmSums::fp64 ? 2 : 1); }
  std::uint64_t local_bytes() const { return std::uint64_t{2} * tile * kTileStride * kVectorBytes; }
  ResultWords result() const {
    return {.arrays = kResultArrays, .words = words() / kResultArrays, .stride = words() / kResultArrays};
  }
};

const GemmForm& form_of(const Point& point) {
  return *std::ranges::find_if(
      kForms, [&](const GemmForm& form) { return word(point, kType) == form.type && word(point, kEngine) == form.engine; });
}

Gemm gemm_of(const Point& point) {
  return {.form = &form_of(point),
          .size = number<std::uint32_t>(point, kSize),
          .tile = number<std::uint32_t>(point, kTile),
          .group_size = number<std::uint32_t>(point, kGroupSize)};
}

Outcome compare_product(const Gemm& gemm, std::uint32_t salt, std::span<const std::uint32_t> words) {
  const GemmProduct product(gemm.size, salt);
  const auto wrong = first_on_all_cores(gemm.size, [&](std::size_t at) -> std::optional<std::string> {
    const auto row = static_cast<std::uint32_t>(at);
    const auto column = product.first_wrong(words, gemm.form->sums, row);
    if (!column) return std::nullopt;
    return fmt::format("row {}, column {} of the product is {} instead of {}", row, *column,
                       gemm_number(words, gemm.form->sums, at * gemm.size + *column), product.value(row, *column));
  });
  return wrong ? Outcome{Status::invalid, *wrong} : Outcome{};
}

LimitRule limit(const char* type, Quantity quantity) {
  return {.only = {{kType, type}, {kEngine, kLanes}}, .quantity = quantity, .ops_per_result = 2};
}

ProgramRule rule(const char* type, const char* engine, const char* rate) {
  return {.only = {{kType, type}, {kEngine, engine}}, .rate = rate, .size = {}};
}

/// A tiled product of two matrices (docs/experiments/programs.md).
class MatrixProduct final : public Experiment {
 public:
  std::string name() const override { return "gemm"; }

  Presentation presentation() const override {
    return {.title = "Matrix product",
            .question = "How many operations per second does a product of two matrices in memory reach?",
            .method =
                "Square matrices; each work-group computes a tile of the product with parts of both factors in local memory, "
                "and each lane keeps up to 8 x 8 sums in registers. "
                "Products follow each other, and each begins after the one before, so that small ones do not fill the device. "
                "All numbers are whole, so the sums are exact, and the host compares every one of them. "
                "`percycle ceilings` prints the share of the rate that was measured on the same device.",
            .metric = "rate of operations (a multiply-add is two): 1e9 per second, and per unit and cycle",
            .operation = "operation",
            .order = 530,
            .configuration = {kTile, kGroupSize},
            .sizes = {kSize},
            // FP16 numbers become FP32 numbers before they are multiplied.
            .limits = {limit(kFp64, Quantity::fp64), limit(kFp32, Quantity::fp32), limit(kFp16, Quantity::fp32),
                       limit(kInt8, Quantity::int32_mul)},
            .takes_all_units = true,
            .curves = {{.name = "gemm",
                        .title = "Rate of a matrix product",
                        .x = kSize,
                        .x_title = "rows and columns of the matrices",
                        .y = {figures::kGopsPerS},
                        .y_scale = AxisScale::doubled},
                       {.name = "gemm-clock",
                        .title = "Clock during matrix products",
                        .x = kSize,
                        .x_title = "rows and columns of the matrices",
                        .y = {figures::kClockMhz}}},
            .words = {{kType, kFp64, "FP64"},
                      {kType, kFp32, "FP32"},
                      {kType, kFp16, "FP16 with FP32 sums"},
                      {kType, kInt8, "INT8 with INT32 sums"},
                      {kEngine, kLanes, ""},
                      {kEngine, kDot, "by dot products"}},
            .programs = {rule(kFp64, kLanes, "FP64"), rule(kFp32, kLanes, "FP32"), rule(kFp16, kLanes, "FP32"),
                         rule(kInt8, kLanes, "INT32"), rule(kInt8, kDot, "INT8 dot")}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kTypes, kSizes}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& type : options[kTypes]) {
      const char* engine = type == kInt8 && device.dot_product ? kDot : kLanes;
      const PointResult* smaller = nullptr;
      for (const std::int64_t size : numbers(sizes(device, options))) {
        if (options[kSizes].empty() && smaller && !allows_larger(*smaller)) break;
        const Point question{name(), {{kType, type}, {kEngine, std::string(engine)}, {kSize, size}}};
        const std::vector<Parameters> some =
            smaller && size > kLargestSearched
                ? std::vector{tiling(integer(smaller->point.parameters, kTile), integer(smaller->point.parameters, kGroupSize))}
                : tilings(device, options.preset);
        const std::vector<Point> tried = searched(*this, device, question, {{Axis(some)}, 1, Merit::device}, done);
        append(points, tried);
        smaller = best_of(tried, done);
        if (smaller == nullptr) break;
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.model.empty()) return kNotSimulated;
    const Gemm gemm = gemm_of(point);
    if (gemm.form->sums == GemmSums::fp64 && !device.fp64) return "the device has no 64-bit floating-point numbers";
    if (word(point, kEngine) == kDot && !device.dot_product)
      return "the device and its driver offer no dot product of 4 x 8-bit integers through this API";
    if (auto reason = group_unsupported(device, gemm.group_size, {})) return reason;
    if (gemm.local_bytes() > device.local_memory_bytes)
      return fmt::format("a work-group has at most {} of local memory", format_bytes(device.local_memory_bytes));
    if (gemm.tiles() > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    if (const std::uint64_t most = chase_capacity(device, "global-index"); gemm.factor_bytes() > most)
      return fmt::format("a storage buffer holds at most {}", format_bytes(most));
    return result_unsupported(device, gemm.result());
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const Gemm gemm = gemm_of(point);
    const std::uint32_t salt = DataWords(seed).salt();
    const auto kernel = [&](const char* role, std::uint32_t size) {
      KernelDesc desc{.name = "gemm",
                      .definitions = {{"ROLE", role}, {"FORM", gemm.form->definition}},
                      .local_size = size,
                      .bindings = {{"factors"}, {"product"}},
                      .parameters = kGemmParameters};
      if (role == kFillRole) return device.create(desc);
      desc.definitions["SIDE"] = std::to_string(gemm.side());
      desc.definitions["RESULTS"] = std::to_string(gemm.results_of_edge());
      if (word(point, kEngine) == kDot) {
        desc.definitions["TYPE"] = "TYPE_INT32";
        desc.later_opencl_c = true;
        desc.texts["USES_DOT_PRODUCT"] = "1";
      }
      return device.create(desc);
    };
    const auto timed = kernel(kTimedRole, gemm.group_size);
    const auto filling = kernel(kFillRole, kResultBlock);
    const auto factors = device.create(BufferDesc{gemm.factor_bytes()});
    const auto product = device.create(BufferDesc{std::uint64_t{gemm.words()} * sizeof(std::uint32_t)});
    const auto dispatch = [&](const std::shared_ptr<Kernel>& made, std::uint32_t groups) {
      return Dispatch{made,
                      {{factors, nullptr}, {product, nullptr}},
                      {{"size", gemm.size},
                       {"row_vectors", gemm.row_vectors()},
                       {"tile_bits", static_cast<std::uint32_t>(std::bit_width(gemm.tiles_of_row())) - 1},
                       {"steps", gemm.row_vectors() / gemm.form->fetched},
                       {"salt", salt}},
                      groups};
    };
    Trial trial;
    trial.setup = {dispatch(filling, 2 * gemm.size)};
    trial.timed.dispatch = dispatch(timed, gemm.tiles());
    trial.timed.loops_parameter.clear();
    trial.timed.launches.emplace();
    trial.timed.tries_part_first = true;
    trial.timed.max_loops = kMostLaunches;
    trial.timed.ops_per_loop = gemm.ops_of_lane();
    trial.timed.verify = ResultCheck(device, gemm.result(), product, [gemm, salt](std::span<const std::uint32_t> words) {
      return compare_product(gemm, salt, words);
    });
    trial.repeatable = true;
    trial.participants = Participants{.dispatch = std::uint64_t{gemm.tiles()} * gemm.group_size, .group = gemm.group_size};
    observe_execution(trial, device);
    apply_role(trial, point);
    return trial;
  }

 private:
  static constexpr const char* kFillRole = "ROLE_FILL";
  static constexpr const char* kTimedRole = "ROLE_TIMED";

  static std::vector<std::string> sizes(const DeviceInfo& device, const Options& options) {
    if (options.preset != Preset::quick) return options.words_or(kSizes, kSizes.choices);
    return options.words_or(kSizes, {is_slow(device) ? "256" : "2048"});
  }

  static Parameters tiling(std::int64_t tile, std::int64_t group_size) { return {{kTile, tile}, {kGroupSize, group_size}}; }

  /// Tiles with the work-groups that compute them.
  static std::vector<Parameters> tilings(const DeviceInfo& device, Preset preset) {
    if (is_slow(device)) return {tiling(64, 64)};
    if (preset == Preset::quick) return {tiling(128, 256)};
    return {tiling(128, 256), tiling(64, 64), tiling(32, 64)};
  }

  /// The result of the fastest configuration; nullptr until there is one.
  static const PointResult* best_of(const std::vector<Point>& tried, std::span<const PointResult> done) {
    const auto best = std::ranges::find_if(done, [&](const PointResult& result) {
      return !is_search(result.point) && result.measurement && std::ranges::find(tried, result.point) != tried.end();
    });
    return best == done.end() ? nullptr : &*best;
  }

  /// Whether the next size, which has twice the rows and columns, takes a short time, too.
  static bool allows_larger(const PointResult& smaller) {
    const auto ns = statistic_median(*smaller.measurement, figures::kNsPerOp);
    return ns && 8 * *ns * static_cast<double>(gemm_of(smaller.point).ops_of_lane()) <= kLongestProductNs;
  }
};

const RegisterExperiment registered(std::make_unique<MatrixProduct>());

}  // namespace
}  // namespace percycle::gemm_experiment
