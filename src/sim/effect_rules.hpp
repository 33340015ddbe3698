#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model.hpp"
#include "toml/strict_table.hpp"

// Rules for effects that few models have. Each throws UsageError for a contradiction.

namespace percycle::sim {

/// Checks a table [pages].
void check_pages(const StrictTable& table, const PagePlacement& pages, std::uint64_t memory_bytes);

/// Checks a table [[cache]].
void check_effects(const StrictTable& table, const Cache& cache, const std::optional<PagePlacement>& pages);

/// Checks an exclusive or inclusive cache and those before it on a path whose last hop so far was
/// read at `line`.
void check_order(const StrictTable& table, std::uint32_t line, const std::vector<Cache>& caches, const std::vector<Hop>& hops);

/// Checks a hop; `parted` if it has a near part.
void check_hop(const StrictTable& table, const Cache& cache, const Hop& hop, bool parted);

}  // namespace percycle::sim
