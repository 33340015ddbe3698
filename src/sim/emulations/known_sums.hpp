#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/bound_memory.hpp"

namespace percycle::sim {

/// Sums over a memory, kept for as long as nothing changes the memory. `key` names the question;
/// `sums` computes them for a new question or changed memory. Keeps the last answer of each thread.
std::vector<std::uint32_t> known_sums(const BoundMemory& memory, const std::string& key,
                                      const std::function<std::vector<std::uint32_t>()>& sums);

}  // namespace percycle::sim
