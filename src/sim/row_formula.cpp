#include "sim/row_formula.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/cache_contents.hpp"
#include "sim/cache_state.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kMostNodes = 1 << 22;

bool one_line_each(const Cache& cache, const PlacedWalk& walk, std::uint64_t fetch) {
  const auto& layout = walk.image.layout;
  return cache.replacement == Replacement::lru && fetch <= cache.line_bytes && layout.stride_bytes % cache.line_bytes == 0 &&
         layout.row_stride_bytes % cache.line_bytes == 0 && walk.base % cache.line_bytes == 0;
}

/// Cycles per load that translation adds if every load is translated: each visit to a group of rows
/// loads the group's pages once if the walk has more pages than the TLB holds. Empty if a single
/// group has more.
std::optional<double> translation(const Model& model, const PlacedWalk& walk) {
  const auto& chain = walk.image.chain;
  double cycles = 0;
  for (const auto& tlb : model.tlbs) {
    const auto page_of = [&](std::uint64_t node) { return (walk.base + walk.image.layout.offset(node)) / tlb.page_bytes; };
    std::set<std::uint64_t> pages;
    std::set<std::uint64_t> of_group;
    for (std::uint64_t node = 0; node < chain.nodes(); ++node) pages.insert(page_of(node));
    for (std::uint64_t node = 0; node < chain.group(); ++node) of_group.insert(page_of(node));
    const std::uint64_t held = tlb.reach_bytes / tlb.page_bytes;
    if (pages.size() <= held) break;
    if (of_group.size() > held) return std::nullopt;
    cycles += tlb.penalty_cycles * static_cast<double>(of_group.size()) / static_cast<double>(chain.group());
  }
  return cycles;
}

}  // namespace

std::optional<double> row_formula(const Model& model, const PlacedWalk& walk) {
  const auto& [chain, layout] = walk.image;
  if (layout.columns == 0 || chain.nodes() > kMostNodes || chain.group() % layout.columns != 0) return std::nullopt;
  const Path& path = path_taken(model, walk.path);
  std::uint64_t fetch = walk.link_bytes();
  for (const auto& hop : path.hops) {
    const Cache& cache = model.caches[hop.cache];
    if (hop.far_latency_cycles || !one_line_each(cache, walk, fetch)) return std::nullopt;
    fetch = std::max(fetch, cache.sector_bytes);
  }
  std::vector<std::uint64_t> asking(chain.nodes());
  for (std::uint64_t node = 0; node < chain.nodes(); ++node) asking[node] = walk.base + layout.offset(node);
  double cycles = 0;
  double translated = 1;
  for (std::size_t i = 0; i < path.hops.size(); ++i) {
    const Cache& cache = model.caches[path.hops[i].cache];
    const auto set = [&](std::uint64_t address) { return set_of(address / cache.line_bytes, cache.sets(), cache.index); };
    std::vector<std::uint32_t> lines(cache.sets());
    for (const std::uint64_t address : asking) ++lines[set(address)];
    const auto before = asking.size();
    std::erase_if(asking, [&](std::uint64_t address) { return lines[set(address)] <= cache.ways; });
    cycles += static_cast<double>(before - asking.size()) * path.hops[i].latency_cycles;
    if (i == 0 && !model.tlb_before_caches) translated = static_cast<double>(asking.size()) / static_cast<double>(chain.nodes());
  }
  cycles += static_cast<double>(asking.size()) * path.memory_latency_cycles;
  // Hits in the first cache are not translated: the formula is exact if all loads are translated or
  // none.
  if (translated > 0 && translated < 1) return std::nullopt;
  const auto adds = translated == 0 ? std::optional<double>(0) : translation(model, walk);
  if (!adds) return std::nullopt;
  return cycles / static_cast<double>(chain.nodes()) + *adds;
}

}  // namespace percycle::sim
