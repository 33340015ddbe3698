#include "sim/effect_rules.hpp"

#include <fmt/format.h>

#include <bit>

namespace percycle::sim {

void check_pages(const StrictTable& table, const PagePlacement& pages, std::uint64_t memory_bytes) {
  if (!std::has_single_bit(pages.page_bytes)) table.fail("page_bytes", "'page_bytes' must be a power of two");
  if (memory_bytes / pages.page_bytes < 2) table.fail("page_bytes", "the memory must have at least two pages");
}

void check_effects(const StrictTable& table, const Cache& cache, const std::optional<PagePlacement>& pages) {
  if (cache.physical && !pages) table.fail("physical", "'physical' needs a table [pages]");
  if (cache.physical && pages->page_bytes < cache.line_bytes)
    table.fail("physical", fmt::format("a page of {} B is shorter than a line", pages->page_bytes));
  if (cache.inclusion == Inclusion::exclusive && cache.foreign_share > 0)
    table.fail("foreign_share", "an exclusive cache has no lines of neighbours");
  if (cache.inclusion != Inclusion::independent && cache.sector_bytes != cache.line_bytes)
    table.fail("inclusion", "an exclusive or inclusive cache has no sectors");
}

void check_order(const StrictTable& table, std::uint32_t line, const std::vector<Cache>& caches, const std::vector<Hop>& hops) {
  const Cache& last = caches[hops.back().cache];
  if (last.inclusion == Inclusion::independent) return;
  if (hops.back().far_latency_cycles) {
    table.fail_at(line, fmt::format("the exclusive or inclusive cache '{}' has no near part", last.name));
  }
  if (hops.size() == 1) table.fail_at(line, fmt::format("there is no cache before '{}'", last.name));
  for (std::size_t i = 0; i + 1 < hops.size(); ++i) {
    const Cache& before = caches[hops[i].cache];
    const bool evicts_into_it = last.inclusion == Inclusion::exclusive && i + 2 == hops.size();
    const bool told = last.inclusion == Inclusion::inclusive || evicts_into_it;
    if (told && before.physical != last.physical)
      table.fail_at(line, fmt::format("caches '{}' and '{}' must both be physical, or none", before.name, last.name));
    if (evicts_into_it && (before.line_bytes != last.line_bytes || before.sector_bytes != last.line_bytes)) {
      table.fail_at(line, fmt::format("cache '{}' must have the lines of '{}', without sectors", before.name, last.name));
    }
    if (before.line_bytes > last.line_bytes) {
      table.fail_at(line, fmt::format("cache '{}' must not have longer lines than '{}'", before.name, last.name));
    }
  }
}

void check_hop(const StrictTable& table, const Cache& cache, const Hop& hop, bool parted) {
  if (parted && cache.slices > 1) table.fail("near_bytes", fmt::format("the sliced cache '{}' has no near part", cache.name));
  if (!hop.far_lines_cycles) return;
  if (parted) table.fail("far_lines_cycles", fmt::format("cache '{}' has either a near part or far lines", cache.name));
  if (*hop.far_lines_cycles <= hop.latency_cycles)
    table.fail("far_lines_cycles", fmt::format("the far lines of cache '{}' must be slower than the others", cache.name));
}

}  // namespace percycle::sim
