#pragma once

#include <cstdint>
#include <vector>

namespace percycle {

/// The values of an invocation of kernel pair `residency`: value i begins as starts[i] plus the
/// invocation's number, and each turn makes it value * factor + the next one, in place.
struct ValueRing {
  std::vector<std::uint32_t> starts;
  std::uint32_t factor = 1;

  /// The sum of all values after `turns` turns, of invocation 0 and per further invocation: turns
  /// are linear.
  struct Sum {
    std::uint32_t first = 0;
    std::uint32_t each = 0;
    std::uint32_t of_invocation(std::uint32_t invocation) const { return first + invocation * each; }
  };
  Sum sum(std::uint64_t turns) const {
    return {after(starts, turns), after(std::vector<std::uint32_t>(starts.size(), 1), turns)};
  }

 private:
  std::uint32_t after(std::vector<std::uint32_t> values, std::uint64_t turns) const {
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * factor + values[(i + 1) % values.size()];
    }
    std::uint32_t total = 0;
    for (const std::uint32_t value : values) total += value;
    return total;
  }
};

}  // namespace percycle
