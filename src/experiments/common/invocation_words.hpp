#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/outcome.hpp"

namespace percycle {

/// Compares the word that each invocation left with right(i), after so many "turns" or "laps".
template <typename Right>
Outcome check_invocations(const std::vector<std::uint32_t>& found, Right right, std::uint64_t count, const char* counted) {
  for (std::uint32_t i = 0; i < found.size(); ++i) {
    if (const std::uint32_t expected = right(i); found[i] != expected) {
      return {Status::invalid,
              fmt::format("invocation {} ended with {:#x} instead of {:#x} after {} {}", i, found[i], expected, count, counted)};
    }
  }
  return {};
}

}  // namespace percycle
