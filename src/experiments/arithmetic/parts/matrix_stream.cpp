#include "experiments/arithmetic/parts/matrix_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "expected/half.hpp"
#include "expected/matrix_stream.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kProductsOfATurn = 64;
constexpr std::uint32_t kMostExact = 1u << 24;  // integers up to it are exact in 32 bits
constexpr std::uint32_t kReserve = 1u << 12;    // more than one product changes a sum

struct MatrixExtent {
  std::uint32_t lanes;
  std::uint32_t pairs;    ///< of products of a chain in a turn
  std::uint32_t groups;   ///< of the dispatch
  std::uint32_t running;  ///< subgroups of a group
};

MatrixExtent extent_of(const DeviceInfo& device, const MatrixStream& stream) {
  const std::uint32_t lanes = stream_lanes(device, stream.subgroup_size);
  const std::uint32_t groups_of_unit = std::max(1u, stream.subgroups * lanes / stream.group_size);
  return {.lanes = lanes,
          .pairs = kProductsOfATurn / 2 / stream.chains,
          .groups = all_units(device) * groups_of_unit,
          .running = stream.subgroups / groups_of_unit};
}

/// Two numbers of 16 bits in a word.
std::shared_ptr<Buffer> write_factors(Device& device, const MatrixFactors& factors) {
  std::vector<std::uint16_t> halves;
  for (const auto* numbers : {&factors.first, &factors.second, &factors.right}) {
    for (const int number : *numbers) halves.push_back(nearest_half(number).bits);
  }
  auto buffer = device.create(BufferDesc{halves.size() * sizeof halves[0]});
  device.write(*buffer, 0, std::as_bytes(std::span(halves)), HostMemory::pageable);
  return buffer;
}

/// Compares each subgroup's result with the host's.
class MatrixCheck {
 public:
  MatrixCheck(const MatrixStream& stream, const MatrixExtent& extent, MatrixFactors factors, std::shared_ptr<Buffer> out)
      : chains_(stream.chains),
        subgroups_(stream.group_size / extent.lanes),
        extent_(extent),
        factors_(std::move(factors)),
        out_(std::move(out)) {}

  Outcome operator()(Device& device, std::uint64_t loops) const {
    const std::vector<double> idle = matrix_results(factors_, chains_, 0);
    const std::vector<double> busy = matrix_results(factors_, chains_, loops * extent_.pairs);
    std::vector<float> found(std::size_t{extent_.groups} * subgroups_ * idle.size());
    device.read(*out_, 0, std::as_writable_bytes(std::span(found)));
    for (std::size_t at = 0; at < found.size(); ++at) {
      const std::size_t subgroup = at / idle.size();
      const double expected = (subgroup % subgroups_ < extent_.running ? busy : idle)[at % idle.size()];
      if (found[at] == expected) continue;
      return {Status::invalid, fmt::format("element {} of subgroup {} is {} instead of {} after {} turns", at % idle.size(),
                                           subgroup, found[at], expected, loops)};
    }
    return {};
  }

 private:
  std::uint32_t chains_;
  std::size_t subgroups_;  ///< of a group
  MatrixExtent extent_;
  MatrixFactors factors_;
  std::shared_ptr<Buffer> out_;
};

KernelDesc describe(const MatrixStream& stream, const MatrixExtent& extent) {
  const MatrixShape& shape = stream.shape;
  return {.name = "matrix_stream",
          .definitions = {{"ROWS", std::to_string(shape.rows)},
                          {"COLUMNS", std::to_string(shape.columns)},
                          {"DEPTH", std::to_string(shape.depth)},
                          {"CHAINS", std::to_string(stream.chains)},
                          {"PAIRS", std::to_string(extent.pairs)}},
          .local_size = stream.group_size,
          .bindings = {{"factors"}, {"out"}, {"stamps"}},
          .parameters = {{"loops", "turns of the timed loop"}, {"lanes", "of a subgroup"}, {"subgroups", "so many run"}},
          .constants = {},
          .subgroup_size = stream.subgroup_size,
          .multiplies_matrices = true};
}

}  // namespace

std::optional<std::string> matrix_stream_unsupported(const DeviceInfo& device, const MatrixStream& stream) {
  const MatrixShape& shape = stream.shape;
  if (shape.factors != "fp16" || shape.sums != "fp32")
    return fmt::format("percycle has no kernel for products of {} with sums of {}", shape.factors, shape.sums);
  if (shape.depth % 2 != 0) return "percycle has no kernel for an odd depth";
  if (auto reason = group_unsupported(device, stream.group_size, stream.subgroup_size)) return reason;
  if (extent_of(device, stream).groups > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  return std::nullopt;
}

Trial matrix_stream_trial(Device& device, const MatrixStream& stream) {
  const MatrixExtent extent = extent_of(device.info(), stream);
  const MatrixShape& shape = stream.shape;
  const std::uint64_t elements = std::uint64_t{shape.rows} * shape.columns;
  const std::uint64_t subgroups = std::uint64_t{extent.groups} * (stream.group_size / extent.lanes);
  const auto out = device.create(BufferDesc{subgroups * elements * sizeof(float)});
  const auto stamps = device.create(BufferDesc{extent.groups * sizeof(GroupStamp)});
  MatrixFactors factors = matrix_factors(shape.rows, shape.columns, shape.depth);
  Trial trial;
  trial.timed.dispatch = {device.create(describe(stream, extent)),
                          {{write_factors(device, factors), nullptr}, {out, nullptr}, {stamps, nullptr}},
                          {{"loops", 0}, {"lanes", extent.lanes}, {"subgroups", extent.running}},
                          extent.groups};
  // A multiply-add is two operations.
  trial.timed.ops_per_loop = std::uint64_t{2} * kProductsOfATurn * elements * shape.depth / extent.lanes;
  trial.timed.arithmetic = {fmt::format("products ({}x{}x{})", shape.rows, shape.columns, shape.depth), kProductsOfATurn, 0,
                            true};
  trial.timed.turn.emplace();
  const std::uint64_t most = (kMostExact - kReserve) / (std::uint64_t{extent.pairs} * stream.chains * kMostMatrixGrowth);
  trial.timed.max_loops = std::min<std::uint64_t>(device.info().max_loop_iterations.value_or(UINT32_MAX) - 1, most);
  trial.timed.verify = MatrixCheck(stream, extent, std::move(factors), out);
  trial.group_stamps = GroupStamps{stamps, 0, extent.groups};
  const std::uint32_t running_lanes = extent.running * extent.lanes;
  trial.participants = Participants{.dispatch = std::uint64_t{extent.groups} * running_lanes, .group = running_lanes};
  trial.repeatable = true;
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
