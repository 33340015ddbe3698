#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "expected/instruction_chain.hpp"

namespace percycle {

/// One operation of kernel pair `instruction_stream`.
struct StreamOperation {
  ChainOperation chain;  ///< its name, values and step
  /// The chains go on from turn to turn: none settles or leaves the normal numbers within
  /// kMostStreamSteps. Otherwise each turn begins with new values.
  bool lasting = false;
  std::uint32_t results = 1;  ///< of one step
  /// First values and operands do not depend on the lane. The first value of chain k comes from the
  /// hash k - 1.
  bool uniform = false;
};

/// Steps of a chain that every lasting operation is good for.
inline constexpr std::uint64_t kMostStreamSteps = std::uint64_t{1} << 24;

/// Every operation, in the order in which they are presented.
const std::vector<StreamOperation>& stream_operations();

/// The operation with that name; nullptr if there is none.
const StreamOperation* find_stream_operation(std::string_view name);

/// The results of one chain, or of all chains of a lane.
struct StreamEnd {
  std::uint32_t word = 0;
  double number = 0;  ///< the last value, of an operation that is not exact
};

/// The end of one chain of this expression, which is one of the operation's. A turn has `run.pairs`
/// pairs of steps.
StreamEnd stream_end(const StreamOperation& operation, const ChainExpression& expression, const ChainRun& run);

/// The results of a lane: the sum of its chains' words, each times an odd factor, and of their
/// numbers.
StreamEnd lane_end(const std::vector<StreamEnd>& chains);

}  // namespace percycle
