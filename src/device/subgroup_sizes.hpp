#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace percycle {

/// The sizes that subgroups can have, smallest first, without those that no device has (0, others
/// than powers of two, above 1024). Adds a line to `lacks` if any is left out.
std::vector<std::uint32_t> possible_subgroup_sizes(const std::vector<std::uint64_t>& stated, std::vector<std::string>& lacks);

/// The size for a CPU that offers many: the largest up to the width of its vectors, because none of
/// them is built in. Empty if there is none.
std::optional<std::uint32_t> cpu_subgroup_size(const std::vector<std::uint32_t>& sizes, std::uint32_t vector_width);

}  // namespace percycle
