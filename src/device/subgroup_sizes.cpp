#include "device/subgroup_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace percycle {

std::vector<std::uint32_t> possible_subgroup_sizes(const std::vector<std::uint64_t>& stated, std::vector<std::string>& lacks) {
  constexpr std::uint64_t kMostLanes = 1024;
  std::vector<std::uint32_t> sizes;
  std::vector<std::uint64_t> impossible;
  for (const std::uint64_t size : stated) {
    if (std::has_single_bit(size) && size <= kMostLanes) {
      sizes.push_back(static_cast<std::uint32_t>(size));
    } else {
      impossible.push_back(size);
    }
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (!impossible.empty()) {
    const std::string more = impossible.size() > 1 ? fmt::format(" and {} more", impossible.size() - 1) : "";
    lacks.push_back(fmt::format("subgroup sizes: percycle left out {}{}: none is a power of two up to {}", impossible.front(),
                                more, kMostLanes));
  }
  return sizes;
}

std::optional<std::uint32_t> cpu_subgroup_size(const std::vector<std::uint32_t>& sizes, std::uint32_t vector_width) {
  std::optional<std::uint32_t> chosen;
  for (const std::uint32_t size : sizes) {
    if (!chosen || size <= vector_width) chosen = size;
  }
  return chosen;
}

}  // namespace percycle
