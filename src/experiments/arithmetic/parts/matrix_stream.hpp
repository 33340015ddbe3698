#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// A point of kernel pair `matrix_stream`: independent sums of products of matrices on every unit.
struct MatrixStream {
  MatrixShape shape;
  std::uint32_t chains = 1;     ///< of a subgroup: 1, 2, 4 or 8; of a work-group: 1
  std::uint32_t subgroups = 1;  ///< of a unit that run
  std::uint32_t group_size = 32;
  std::optional<std::uint32_t> subgroup_size{};
};

/// The only subgroup size for these products, if there is one: Intel's functions of OpenCL give
/// each lane one column.
std::optional<std::uint32_t> matrix_subgroup_size(const DeviceInfo& device, const MatrixShape& shape);

/// Subgroups of a work-group: as many as compute a product together, else up to 16.
std::uint32_t subgroups_of_matrix_group(const DeviceInfo& device, const MatrixShape& shape,
                                        std::optional<std::uint32_t> subgroup_size);

/// Why a device without any shape has none.
std::string matrices_missing(const DeviceInfo& device);

/// Why this device cannot do this; decided before anything runs. Pure.
std::optional<std::string> matrix_stream_unsupported(const DeviceInfo& device, const MatrixStream& stream);

/// The runs: every subgroup's result is checked after each. Throws DeviceError.
Trial matrix_stream_trial(Device& device, const MatrixStream& stream);

}  // namespace percycle
