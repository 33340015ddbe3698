#include "sim/chase_formula.hpp"

#include <algorithm>
#include <cmath>

#include "sim/cache_contents.hpp"
#include "sim/cyclic_misses.hpp"

namespace percycle::sim {
namespace {

// If more than this share of the lines reaches a cache, the evictions are computed as if all did.
constexpr double kNearlyAll = 0.999;
// If random pages are held, the mean of a chase with fewer visits is not reliable.
constexpr double kFewVisits = 4096;

/// The share of the walk's nodes that a cache misses; each request fetches `fetch` bytes. Empty if
/// there is no closed form.
std::optional<double> node_miss_share(const Cache& cache, const PlacedWalk& walk, std::uint64_t fetch,
                                      const MissShare& miss_share) {
  const std::uint64_t stride = walk.image.layout.stride_bytes;
  const std::uint64_t nodes = walk.image.chain.nodes();
  if (stride % cache.line_bytes != 0 || walk.base % cache.line_bytes != 0) return std::nullopt;
  const std::uint64_t lines_per_node = (fetch + cache.line_bytes - 1) / cache.line_bytes;
  const bool lru_like = cache.replacement == Replacement::lru || cache.replacement == Replacement::pseudo_lru;
  // Nodes of several lines overflow together only if all are neighbours and a set misses all or
  // nothing.
  if (lines_per_node > 1 && (stride != fetch || !lru_like || cache.index != SetIndex::modulo)) return std::nullopt;
  double share = 0;
  for (const auto& load : set_loads(cache, walk.base, stride / lines_per_node, nodes * lines_per_node)) {
    share += load.share * miss_share(cache.replacement, cache.ways, load.lines);
  }
  return std::clamp(share, 0.0, 1.0);
}

struct Visits {
  double pages;     ///< walked
  double together;  ///< nodes per visit
  double per_page;  ///< visits to a page per lap
};

Visits visits(const ChainImage& image, std::uint64_t page_bytes) {
  const auto nodes = static_cast<double>(image.chain.nodes());
  const auto span = static_cast<double>(image.layout.span(image.chain.nodes()));
  const auto& layout = image.layout;
  double pages = std::min(nodes, std::ceil(span / static_cast<double>(page_bytes)));
  if (layout.columns > 1 && layout.row_stride_bytes < layout.stride_bytes) {
    // Rows within one stride: each visits all pages, one after the other.
    pages = std::min(pages, static_cast<double>(layout.columns));
    if (image.chain.order() == ChainOrder::sequential) return {pages, static_cast<double>(layout.columns) / pages, 1};
  } else if (layout.columns > 1 && layout.row_stride_bytes > page_bytes) {
    // Blocks with gaps between them.
    const std::uint64_t pages_of_block = (layout.columns * layout.stride_bytes + page_bytes - 1) / page_bytes;
    pages = std::min(pages, nodes / static_cast<double>(layout.columns) * static_cast<double>(pages_of_block));
  }
  const double in_page = nodes / pages;
  if (image.chain.order() == ChainOrder::sequential) return {pages, in_page, 1};
  const double together = std::min(static_cast<double>(image.chain.group()), in_page);
  return {pages, together, in_page / together};
}

double held(const TlbModel& tlb) {
  const std::uint64_t pages = tlb.reach_bytes / tlb.page_bytes;
  return static_cast<double>(pages);
}

}  // namespace

std::optional<double> chase_formula(const Model& model, const PlacedWalk& walk, const MissShare& miss_share) {
  const Path& path = path_taken(model, walk.path);
  if (walk.image.layout.columns != 0 || !translation_has_formula(model, walk.image)) return std::nullopt;
  double reaching = 1;
  double cycles = 0;
  double translated = 1;
  std::uint64_t fetch = walk.link_bytes();
  for (std::size_t i = 0; i < path.hops.size() && reaching > 0; ++i) {
    const Hop& hop = path.hops[i];
    const Cache& cache = model.caches[hop.cache];
    const auto misses = node_miss_share(cache, walk, fetch, miss_share);
    if (!misses || (*misses > 0 && reaching < kNearlyAll)) return std::nullopt;
    double near_misses = *misses;
    if (hop.far_latency_cycles) {
      const Cache near = near_part(cache, hop.near_bytes);
      const auto beyond = node_miss_share(near, walk, fetch, miss_share);
      // If the near part's sets do not nest in the whole's, lines may crowd one and not the other.
      const bool nested = cache.index == SetIndex::modulo && cache.sets() % near.sets() == 0;
      if (!beyond || (*misses > 0 && *beyond < 1 && !nested)) return std::nullopt;
      near_misses = std::max(*beyond, *misses);
      cycles += reaching * (near_misses - *misses) * *hop.far_latency_cycles;
    }
    cycles += reaching * (1 - near_misses) * hop.latency_cycles;
    reaching *= *misses;
    if (i == 0 && !model.tlb_before_caches) translated = reaching;
    fetch = std::max(fetch, cache.sector_bytes);
  }
  return cycles + reaching * path.memory_latency_cycles + translation_cycles(model, walk.image, translated);
}

double translation_cycles(const Model& model, const ChainImage& image, double loads) {
  double cycles = 0;
  for (const auto& tlb : model.tlbs) {
    const Visits visit = visits(image, tlb.page_bytes);
    const double share_held = held(tlb) / visit.pages;
    if (share_held >= 1 || loads == 0) break;
    // Fewer loads than nodes are translated: first visits get shorter, then fewer.
    const double together = std::max(1.0, visit.together * loads);
    const double per_page = std::max(1.0, visit.per_page * std::min(1.0, visit.together * loads));
    const double visit_hits = 1 - std::pow(1 - share_held, (per_page - 1) / per_page);
    loads *= (1 - visit_hits) / together;
    cycles += loads * tlb.penalty_cycles;
  }
  return cycles;
}

bool translation_has_formula(const Model& model, const ChainImage& image) {
  return std::all_of(model.tlbs.begin(), model.tlbs.end(), [&](const TlbModel& tlb) {
    const Visits visit = visits(image, tlb.page_bytes);
    if (held(tlb) >= visit.pages || image.chain.order() == ChainOrder::sequential) return true;
    const bool scattered = static_cast<double>(image.chain.group()) > visit.together;
    return !scattered && (visit.per_page == 1 || visit.pages * visit.per_page > kFewVisits);
  });
}

}  // namespace percycle::sim
