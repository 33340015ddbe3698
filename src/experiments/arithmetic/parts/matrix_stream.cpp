#include "experiments/arithmetic/parts/matrix_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "expected/matrix_stream.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kProductsOfATurn = 64;
// A product of a work-group is hundreds of instructions.
constexpr std::uint32_t kPairsOfWorkgroup = 4;
// Sums of eight chains need up to 128 registers of a lane.
constexpr std::uint32_t kSubgroupsOfGroup = 16;
constexpr std::size_t kBytesOfARead = std::size_t{1} << 22;

/// The types of a product, with their names in the kernels.
struct MatrixTypes {
  const char* factors = "";
  const char* sums = "";
  const char* factors_macro = "";
  const char* sums_macro = "";
  /// Sums hold integers up to this exactly; 0: they wrap.
  std::uint64_t most_exact = 0;
  MatrixNumbers numbers;
};

constexpr std::uint64_t kExactHalf = 1u << 11;
constexpr std::uint64_t kExactFloat = 1u << 24;
constexpr std::uint64_t kExactDouble = std::uint64_t{1} << 53;
constexpr MatrixNumbers kQuick{};
constexpr MatrixNumbers kSlow{.is_slow = true};
// Products of 8-bit floating-point numbers have sums of fewer exact bits than fp32 on Hopper
// (DeepSeek-V3 Technical Report, arXiv 2412.19437, 3.3.2: "around 14 bits").
constexpr std::array kTypes{MatrixTypes{"fp16", "fp32", "FP16", "FP32", kExactFloat, kQuick},
                            MatrixTypes{"fp16", "fp16", "FP16", "FP16", kExactHalf, kSlow},
                            MatrixTypes{"bf16", "fp32", "BF16", "FP32", kExactFloat, kQuick},
                            MatrixTypes{"tf32", "fp32", "TF32", "FP32", kExactFloat, kQuick},
                            MatrixTypes{"fp64", "fp64", "FP64", "FP64", kExactDouble, kQuick},
                            MatrixTypes{"fp8_e4m3", "fp32", "FP8_E4M3", "FP32", kExactHalf, kSlow},
                            MatrixTypes{"fp8_e5m2", "fp32", "FP8_E5M2", "FP32", kExactHalf, kSlow},
                            MatrixTypes{"sint8", "sint32", "SINT8", "SINT32", 0, kQuick},
                            MatrixTypes{"uint8", "uint32", "UINT8", "UINT32", 0, {.is_signed = false}}};

/// Null if there is no kernel for them.
const MatrixTypes* types_of(const MatrixShape& shape) {
  const auto found = std::ranges::find_if(
      kTypes, [&](const MatrixTypes& types) { return shape.factors == types.factors && shape.sums == types.sums; });
  return found == kTypes.end() ? nullptr : &*found;
}

struct MatrixExtent {
  std::uint32_t lanes;
  std::uint32_t pairs;    ///< of products of a chain in a turn
  std::uint32_t groups;   ///< of the dispatch
  std::uint32_t running;  ///< subgroups of a group
  std::uint32_t sharing;  ///< lanes that compute a product together
};

MatrixExtent extent_of(const DeviceInfo& device, const MatrixStream& stream) {
  const std::uint32_t lanes = stream_lanes(device, stream.subgroup_size);
  const std::uint32_t groups_of_unit = std::max(1u, stream.subgroups * lanes / stream.group_size);
  return {.lanes = lanes,
          .pairs = stream.shape.invocations ? kPairsOfWorkgroup : kProductsOfATurn / 2 / stream.chains,
          .groups = all_units(device) * groups_of_unit,
          .running = stream.subgroups / groups_of_unit,
          .sharing = stream.shape.invocations.value_or(lanes)};
}

std::shared_ptr<Buffer> write_factors(Device& device, const MatrixFactors& factors, const std::string& format) {
  std::vector<std::byte> bytes;
  for (const auto* numbers : {&factors.first, &factors.second, &factors.last, &factors.right}) {
    const std::vector<std::byte> encoded = encode_numbers(*numbers, format);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  auto buffer = device.create(BufferDesc{bytes.size()});
  device.write(*buffer, 0, bytes, HostMemory::pageable);
  return buffer;
}

/// A number as an element of a sum: exact, or for integers modulo 2^32.
template <typename T>
T as_element(double number) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::int64_t>(number));
  return static_cast<T>(number);
}

std::size_t bytes_of_sum(const MatrixTypes& types) { return types.most_exact == kExactDouble ? sizeof(double) : sizeof(float); }

/// Compares the result of each subgroup or work-group with the host's.
class MatrixCheck {
 public:
  MatrixCheck(const MatrixStream& stream, const MatrixExtent& extent, const MatrixFactors& factors, std::shared_ptr<Buffer> out)
      : types_(types_of(stream.shape)),
        results_(stream.group_size / extent.sharing),
        extent_(extent),
        begin_(matrix_results(factors, stream.chains, 0, extent.pairs)),
        growth_(matrix_results(factors, stream.chains, 1, extent.pairs)),
        out_(std::move(out)) {
    for (std::size_t i = 0; i < begin_.size(); ++i) growth_[i] -= begin_[i];
  }

  Outcome operator()(Device& device, std::uint64_t loops) {
    if (types_->most_exact == 0) return compare<std::uint32_t>(device, loops);
    return types_->most_exact == kExactDouble ? compare<double>(device, loops) : compare<float>(device, loops);
  }

 private:
  /// In parts that stay in a host's caches: work-groups of 256 leave 35 MB on an H100.
  template <typename T>
  Outcome compare(Device& device, std::uint64_t loops) {
    const std::vector<T> idle = results_after<T>(0);
    const std::vector<T> busy = results_after<T>(loops);
    const std::size_t tile = idle.size() * sizeof(T);
    const std::size_t tiles = std::size_t{extent_.groups} * results_;
    const std::size_t at_once = std::min(tiles, std::max<std::size_t>(kBytesOfARead / tile, 1));
    found_.resize(at_once * tile);
    for (std::size_t first = 0; first < tiles; first += at_once) {
      const std::size_t end = std::min(first + at_once, tiles);
      device.read(*out_, first * tile, std::span(found_).first((end - first) * tile));
      for (std::size_t result = first; result < end; ++result) {
        const std::vector<T>& expected = result % results_ < extent_.running ? busy : idle;
        if (std::memcmp(&found_[(result - first) * tile], expected.data(), tile) == 0) continue;
        std::vector<T> own(idle.size());
        std::memcpy(own.data(), &found_[(result - first) * tile], tile);
        const auto [right, wrong] = std::ranges::mismatch(expected, own);  // 0 equals -0
        if (right == expected.end()) continue;
        return {Status::invalid, fmt::format("element {} of result {} is {} instead of {} after {} turns",
                                             right - expected.begin(), result, *wrong, *right, loops)};
      }
    }
    return {};
  }

  template <typename T>
  std::vector<T> results_after(std::uint64_t loops) const {
    std::vector<T> results;
    results.reserve(begin_.size());
    for (std::size_t i = 0; i < begin_.size(); ++i)
      results.push_back(as_element<T>(begin_[i] + static_cast<double>(loops) * growth_[i]));
    return results;
  }

  const MatrixTypes* types_;
  std::size_t results_;  ///< of a group
  MatrixExtent extent_;
  std::vector<double> begin_;   ///< elements after no turn
  std::vector<double> growth_;  ///< of each element in a turn
  std::shared_ptr<Buffer> out_;
  std::vector<std::byte> found_;  ///< kept: fresh pages cost more than the comparison
};

/// Turns after which all sums are exact.
std::uint64_t most_turns(const MatrixTypes& types, std::uint32_t chains, std::uint32_t pairs) {
  if (types.most_exact == 0) return UINT32_MAX - 1;
  const std::uint64_t growth = types.numbers.is_slow ? kMostMatrixGrowth : std::uint64_t{pairs} * chains * kMostMatrixGrowth;
  // More than one product changes a sum.
  const std::uint64_t reserve = types.most_exact / (types.numbers.is_slow ? 4 : 1u << 12u);
  return std::min<std::uint64_t>((types.most_exact - reserve) / growth, UINT32_MAX - 1);
}

KernelDesc describe(const MatrixStream& stream, const MatrixExtent& extent) {
  const MatrixShape& shape = stream.shape;
  std::map<std::string, std::string> definitions{
      {"FACTORS", types_of(shape)->factors_macro}, {"SUMS", types_of(shape)->sums_macro},
      {"ROWS", std::to_string(shape.rows)},        {"COLUMNS", std::to_string(shape.columns)},
      {"DEPTH", std::to_string(shape.depth)},      {"CHAINS", std::to_string(stream.chains)},
      {"PAIRS", std::to_string(extent.pairs)}};
  if (shape.invocations) definitions["BY_WORK_GROUP"] = "1";
  return {.name = "matrix_stream",
          .definitions = std::move(definitions),
          .local_size = stream.group_size,
          .bindings = {{"factors"}, {"out"}, {"stamps"}},
          .parameters = {{"loops", "turns of the timed loop"}, {"lanes", "of a subgroup"}, {"subgroups", "so many run"}},
          .subgroup_size = stream.subgroup_size,
          .matrix_factors = shape.factors};
}

}  // namespace

std::optional<std::uint32_t> matrix_subgroup_size(const DeviceInfo& device, const MatrixShape& shape) {
  if (device.api == Api::opencl && device.vendor == "Intel") return shape.columns;
  return std::nullopt;
}

std::uint32_t subgroups_of_matrix_group(const DeviceInfo& device, const MatrixShape& shape,
                                        std::optional<std::uint32_t> subgroup_size) {
  const std::uint32_t lanes = stream_lanes(device, subgroup_size);
  if (shape.invocations) return std::max(*shape.invocations / lanes, 1u);
  return std::clamp(largest_group(device, subgroup_size) / lanes, 1u, kSubgroupsOfGroup);
}

std::string matrices_missing(const DeviceInfo& device) {
  if (device.api == Api::sim) return "the model has no matrix engines";
  if (device.api == Api::vulkan) return "the driver offers no cooperative matrices (VK_KHR_cooperative_matrix)";
  return "percycle needs PTX of compute capability 8.0 or later, or cl_intel_subgroup_matrix_multiply_accumulate; the device has "
         "neither";
}

std::optional<std::string> matrix_stream_unsupported(const DeviceInfo& device, const MatrixStream& stream) {
  const MatrixShape& shape = stream.shape;
  if (types_of(shape) == nullptr)
    return fmt::format("percycle has no kernel for products of {} with sums of {}", shape.factors, shape.sums);
  if (shape.depth % 4 != 0) return "percycle has no kernel for a depth that is no multiple of 4";
  if (shape.invocations && stream.group_size != shape.invocations)
    return fmt::format("products of this shape need work-groups of {}", *shape.invocations);
  const auto subgroup_size = matrix_subgroup_size(device, shape);
  if (subgroup_size && stream.subgroup_size != subgroup_size)
    return fmt::format("products of {} columns need subgroups of as many lanes", shape.columns);
  if (auto reason = group_unsupported(device, stream.group_size, stream.subgroup_size)) return reason;
  if (extent_of(device, stream).groups > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  return std::nullopt;
}

Trial matrix_stream_trial(Device& device, const MatrixStream& stream) {
  const MatrixExtent extent = extent_of(device.info(), stream);
  const MatrixShape& shape = stream.shape;
  const MatrixTypes& types = *types_of(shape);
  const std::uint64_t elements = std::uint64_t{shape.rows} * shape.columns;
  const std::uint64_t results = std::uint64_t{extent.groups} * (stream.group_size / extent.sharing);
  const auto out = device.create(BufferDesc{results * elements * bytes_of_sum(types)});
  const auto stamps = device.create(BufferDesc{extent.groups * sizeof(GroupStamp)});
  const MatrixFactors factors = matrix_factors(shape.rows, shape.columns, shape.depth, types.numbers);
  Trial trial;
  trial.timed.dispatch = {device.create(describe(stream, extent)),
                          {{write_factors(device, factors, shape.factors), nullptr}, {out, nullptr}, {stamps, nullptr}},
                          {{"loops", 0}, {"lanes", extent.lanes}, {"subgroups", extent.running}},
                          extent.groups};
  // A multiply-add is two operations.
  const std::uint32_t products = 2 * extent.pairs * stream.chains;  // of a turn
  trial.timed.ops_per_loop = std::uint64_t{2} * products * elements * shape.depth / extent.sharing;
  trial.timed.arithmetic = {fmt::format("products ({}x{}x{})", shape.rows, shape.columns, shape.depth), products, 0, true};
  trial.timed.turn.emplace();
  trial.timed.max_loops =
      std::min(device.info().max_loop_iterations.value_or(UINT32_MAX) - 1, most_turns(types, stream.chains, extent.pairs));
  trial.timed.verify = MatrixCheck(stream, extent, factors, out);
  trial.group_stamps = GroupStamps{stamps, 0, extent.groups};
  const std::uint32_t running_lanes = extent.running * extent.lanes;
  trial.participants = Participants{.dispatch = std::uint64_t{extent.groups} * running_lanes, .group = running_lanes};
  trial.repeatable = true;
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
