#include "device/vulkan/timestamps.hpp"

#include <algorithm>
#include <cmath>

namespace percycle::vulkan {

std::optional<double> elapsed_ns(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits, double period_ns) {
  if (valid_bits == 0) return std::nullopt;
  // The bits above valid_bits are undefined (VkQueueFamilyProperties), so they are cut off before
  // and after the subtraction.
  const std::uint64_t mask = valid_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << valid_bits) - 1;
  const std::uint64_t ticks = ((end & mask) - (begin & mask)) & mask;
  // More than half the counter's range (hours even at 36 bits) is a step backwards, not a wrap.
  if (ticks == 0 || ticks > mask / 2) return std::nullopt;
  return static_cast<double>(ticks) * period_ns;
}

std::optional<double> longest_ns(const std::array<std::uint64_t, 2>& begins, const std::array<std::uint64_t, 2>& ends,
                                 std::uint32_t valid_bits, double period_ns) {
  std::optional<double> longest;
  for (const std::uint64_t begin : begins) {
    for (const std::uint64_t end : ends) {
      if (const auto ns = elapsed_ns(begin, end, valid_bits, period_ns)) longest = std::max(longest.value_or(0), *ns);
    }
  }
  return longest;
}

std::optional<double> plausible_period(float period_ns) {
  if (!std::isfinite(period_ns) || period_ns <= 0) return std::nullopt;
  return static_cast<double>(period_ns);
}

}  // namespace percycle::vulkan
