#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "expected/instruction_stream.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// A point of kernel pair `instruction_stream`: independent chains of operations on every unit.
struct InstructionStream {
  const StreamOperation* operation = nullptr;
  const StreamOperation* partner = nullptr;  ///< takes turns with it, in as many chains
  std::uint32_t chains = 1;                  ///< of a lane and operation: 1, 2, 4 or 8
  std::uint32_t width = 1;                   ///< chains in a vector: 1, or 2 or 4 of 8
  std::uint32_t subgroups = 1;               ///< of a unit that run; all if uniform
  /// Runs these two of a work-group's subgroups instead.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> pair{};
  std::uint32_t group_size = 32;
  std::optional<std::uint32_t> subgroup_size{};
  bool optimize = true;  ///< by the driver's compiler
};

/// Lanes that count as a subgroup: the required size, else the largest that the device reports.
std::uint32_t stream_lanes(const DeviceInfo& device, std::optional<std::uint32_t> subgroup_size);

/// Why this device cannot do this; decided before anything runs. Pure.
std::optional<std::string> instruction_stream_unsupported(const DeviceInfo& device, const InstructionStream& stream);

/// The runs: every lane's result is checked after each. Throws DeviceError.
Trial instruction_stream_trial(Device& device, const InstructionStream& stream);

}  // namespace percycle
