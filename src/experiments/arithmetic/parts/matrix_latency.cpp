#include "experiments/arithmetic/parts/matrix_latency.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/arithmetic/parts/matrix_stream.hpp"

namespace percycle {
namespace {

constexpr const char* kAnyProduct = "fp16-fp32";

const MatrixShape* find_shape(const DeviceInfo& device, const std::string& instruction) {
  const auto found = std::ranges::find_if(device.matrix_shapes, [&](const MatrixShape& shape) {
    return !shape.invocations && matrix_instruction(shape) == instruction;
  });
  return found == device.matrix_shapes.end() ? nullptr : &*found;
}

MatrixStream stream_of(const DeviceInfo& device, const MatrixShape& shape) {
  const auto subgroup_size = matrix_subgroup_size(device, shape);
  return {.shape = shape,
          .chains = 1,
          .subgroups = 1,
          .group_size = subgroups_of_matrix_group(device, shape, subgroup_size) * stream_lanes(device, subgroup_size),
          .subgroup_size = subgroup_size};
}

}  // namespace

std::string matrix_instruction(const MatrixShape& shape) {
  return fmt::format("{}-{} {}x{}x{}", shape.factors, shape.sums, shape.rows, shape.columns, shape.depth);
}

std::vector<std::string> matrix_instructions(const DeviceInfo& device) {
  std::vector<std::string> all;
  for (const MatrixShape& shape : device.matrix_shapes) {
    if (!shape.invocations) all.push_back(matrix_instruction(shape));
  }
  if (all.empty()) all.emplace_back(kAnyProduct);
  return all;
}

std::optional<std::string> matrix_latency_unsupported(const DeviceInfo& device, const std::string& instruction) {
  const MatrixShape* const shape = find_shape(device, instruction);
  if (shape == nullptr)
    return device.matrix_shapes.empty() ? matrices_missing(device) : "the driver offers products of a whole work-group only";
  return matrix_stream_unsupported(device, stream_of(device, *shape));
}

Trial matrix_latency_trial(Device& device, const std::string& instruction) {
  Trial trial = matrix_stream_trial(device, stream_of(device.info(), *find_shape(device.info(), instruction)));
  trial.timed.ops_per_loop = trial.timed.arithmetic->count;
  trial.participants.reset();  // the figure is a time of one product, not a rate
  return trial;
}

}  // namespace percycle
