#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "expected/atomic_latency.hpp"

namespace percycle {

/// An operation's names for users and in kernels.
struct AtomicOperationName {
  std::string_view name;
  const char* definition;
  AtomicOperation operation;
};

/// Operations of kernel pairs `atomic_latency` and `atomic_throughput`; sweeps use the first.
inline constexpr std::array<AtomicOperationName, 5> kAtomicOperations{
    {{"add", "OPERATION_ADD", AtomicOperation::add},
     {"min", "OPERATION_MIN", AtomicOperation::min},
     {"exchange", "OPERATION_EXCHANGE", AtomicOperation::exchange},
     {"compare-exchange", "OPERATION_COMPARE_EXCHANGE", AtomicOperation::compare_exchange},
     {"and-or", "OPERATION_AND_OR", AtomicOperation::and_or}}};

/// The operation of that name, which must exist.
inline const AtomicOperationName& atomic_operation(std::string_view name) {
  return *std::find_if(kAtomicOperations.begin(), kAtomicOperations.end(),
                       [&](const AtomicOperationName& each) { return each.name == name; });
}

/// The operation that a kernel's definition names, which must exist.
inline const AtomicOperationName& atomic_operation_defined(std::string_view definition) {
  return *std::find_if(kAtomicOperations.begin(), kAtomicOperations.end(),
                       [&](const AtomicOperationName& each) { return each.definition == definition; });
}

}  // namespace percycle
