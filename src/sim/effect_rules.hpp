#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model.hpp"
#include "toml/strict_table.hpp"

// Rules for effects that few models have. Each throws UsageError for a contradiction.

namespace percycle::sim {

/// Of a table [pages].
void check_pages(const StrictTable& table, const PagePlacement& pages, std::uint64_t memory_bytes);

/// Of a table [[cache]].
void check_effects(const StrictTable& table, const Cache& cache, const std::optional<PagePlacement>& pages);

/// Of a path whose last hop so far was read at `line`: of exclusive and inclusive caches and those
/// before them.
void check_order(const StrictTable& table, std::uint32_t line, const std::vector<Cache>& caches, const std::vector<Hop>& hops);

/// Of a hop; `parted` if it has a near part.
void check_hop(const StrictTable& table, const Cache& cache, const Hop& hop, bool parted);

}  // namespace percycle::sim
