#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/info.hpp"
#include "expected/instruction_chain.hpp"

namespace percycle {

/// The definition TYPE of kernels of operations: "TYPE_FP32".
const char* type_definition(ChainType type);

/// Why this device or its API lacks the operation.
std::optional<std::string> operation_unsupported(const DeviceInfo& device, const ChainOperation& operation);

/// The macros of a kernel of operations (KernelDesc::texts).
std::map<std::string, std::string> chain_texts(const ChainOperation& operation, const ChainExpression& expression);

/// The allowed expressions: more than one if an API leaves the rounding open.
std::vector<ChainExpression> allowed_expressions(const ChainOperation& operation);

/// The bits of a turn's last value that the next turn depends on: all, or none if other bits than
/// the host's are allowed.
std::uint32_t chain_mask(const ChainOperation& operation);

/// The first hash of the chain with that number. Neighbours differ, so that a lane with another
/// lane's result shows.
std::uint32_t start_word(std::uint32_t number);

}  // namespace percycle
