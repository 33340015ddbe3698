#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

/// The class of these instructions in points.
inline constexpr const char* kMatrixClass = "Matrix Product";

/// "fp16-fp32 16x16x16": the types of factors and sums, rows, columns and depth.
std::string matrix_instruction(const MatrixShape& shape);

/// The shapes of a subgroup that the device offers, as instructions; one without a shape if it
/// offers none.
std::vector<std::string> matrix_instructions(const DeviceInfo& device);

/// Why this device cannot multiply such matrices; decided before anything runs. Pure.
std::optional<std::string> matrix_latency_unsupported(const DeviceInfo& device, const std::string& instruction);

/// One subgroup on each unit adds products to one sum, so each product waits for the last one.
/// An operation of the trial is a product. Throws DeviceError.
Trial matrix_latency_trial(Device& device, const std::string& instruction);

}  // namespace percycle
