#include "device/sim/chase_simulation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "device/sim/chase_formula.hpp"
#include "device/sim/hierarchy.hpp"

namespace percycle::sim {
namespace {

// Nodes walked in full. Random dense chains are alike at every scale, so that fewer do; others have structure that a smaller copy may lose.
constexpr std::uint64_t kMostAlike = 4096;
constexpr std::uint64_t kMostOthers = 65536;
// Two laps settle LRU: after the first all levels hold what the walk left, after the second what a settled first level lets through.
constexpr std::uint64_t kSettlingLapsLru = 2;
constexpr std::uint64_t kSettlingLaps = 4;
// Random replacement: enough loads for an error below half a percent of the miss share.
constexpr std::uint64_t kCountedLoads = 32768;
constexpr std::uint64_t kFewestWays = 16;

std::uint64_t total_nodes(std::span<const PlacedWalk> walks) {
  return std::accumulate(walks.begin(), walks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const PlacedWalk& walk) { return sum + walk.image.chain.nodes(); });
}

bool alike_at_every_scale(std::span<const PlacedWalk> walks) {
  return walks.size() == 1 && walks[0].image.layout.columns == 0 && walks[0].image.chain.group() == 1;
}

bool plain_lru(const Model& model, std::span<const PlacedWalk> walks) {
  return std::all_of(walks.begin(), walks.end(), [&](const PlacedWalk& walk) {
    const auto& hops = path_taken(model, walk.path).hops;
    return std::all_of(hops.begin(), hops.end(),
                       [&](const Hop& hop) { return model.caches[hop.cache].replacement == Replacement::lru; });
  });
}

std::uint64_t scaled_sets(std::uint64_t sets, double scale) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(static_cast<double>(sets) / scale)));
}

/// A cache with 1/scale of the lines.
Cache scaled(const Cache& cache, double scale) {
  Cache small = cache;
  const std::uint64_t sets = scaled_sets(cache.sets(), scale);
  const double lines = static_cast<double>(cache.sets() * cache.ways) / scale;
  if (const auto most = std::max(kFewestWays, static_cast<std::uint64_t>(std::ceil(lines))); sets == 1 && cache.ways > most) {
    small.ways = static_cast<std::uint32_t>(std::bit_floor(most));
  }
  small.size_bytes = sets * small.ways * cache.line_bytes;
  if (!std::has_single_bit(sets)) small.index = SetIndex::modulo;
  return small;
}

Model scaled(const Model& model, double scale) {
  Model small = model;
  for (auto& cache : small.caches) cache = scaled(cache, scale);
  for (auto& path : small.paths) {
    for (auto& hop : path.hops) {
      if (!hop.far_latency_cycles) continue;
      hop.near_bytes = scaled(near_part(model.caches[hop.cache], hop.near_bytes), scale).size_bytes;
    }
  }
  small.tlbs.clear();
  return small;
}

PlacedWalk scaled(const PlacedWalk& walk, double scale) {
  const Chain& chain = walk.image.chain;
  // Whole groups of whole rows.
  const std::uint64_t columns = std::max<std::uint64_t>(1, walk.image.layout.columns);
  const std::uint64_t unit = std::lcm(chain.group(), columns);
  const auto nodes = static_cast<std::uint64_t>(static_cast<double>(chain.nodes()) / scale);
  PlacedWalk small = walk;
  small.image.chain = Chain(std::max<std::uint64_t>(nodes / unit, 2) * unit, chain.order(), 1, chain.group());
  return small;
}

/// About `wanted`, such that the cache whose capacity is nearest to what is walked has a whole number of sets left.
double scale_near(const Model& model, std::span<const PlacedWalk> walks, double wanted) {
  const auto& layout = walks[0].image.layout;
  const std::uint64_t apart = layout.columns == 0 ? layout.stride_bytes : std::min(layout.stride_bytes, layout.row_stride_bytes);
  const double walked = static_cast<double>(total_nodes(walks)) * static_cast<double>(apart);
  double nearest = INFINITY;
  double scale = wanted;
  for (const auto& hop : path_taken(model, walks[0].path).hops) {
    const Cache& cache = model.caches[hop.cache];
    const double distance = std::abs(std::log(static_cast<double>(cache.size_bytes) / walked));
    if (distance >= nearest) continue;
    nearest = distance;
    scale = static_cast<double>(cache.sets()) / static_cast<double>(scaled_sets(cache.sets(), wanted));
  }
  return std::max(scale, wanted / 2);
}

/// One walk's addresses in order, and what its loads came to.
struct Runner {
  const Path* path = nullptr;
  std::vector<std::uint64_t> lap;
  std::size_t at = 0;
  double cycles = 0;
  double translated = 0;
};

/// Walks all, load by load; cycles and translated are of the average load.
std::vector<Runner> walk_in_full(const Model& model, std::span<const PlacedWalk> walks) {
  std::vector<Runner> runners;
  std::uint64_t longest = 0;
  for (const auto& walk : walks) {
    Runner& runner = runners.emplace_back();
    runner.path = &path_taken(model, walk.path);
    for (std::uint64_t i = 0; i < walk.image.chain.nodes(); ++i) runner.lap.push_back(walk.address(i));
    longest = std::max(longest, walk.image.chain.nodes());
  }
  const bool lru = plain_lru(model, walks);
  const std::uint64_t settling = longest * (lru ? kSettlingLapsLru : kSettlingLaps);
  const std::uint64_t counted = lru ? longest : (kCountedLoads + longest - 1) / longest * longest;

  Hierarchy caches(model);
  for (std::uint64_t step = 0; step < settling + counted; ++step) {
    for (std::size_t i = 0; i < walks.size(); ++i) {
      Runner& runner = runners[i];
      const Load load = caches.load(walks[i].actor, *runner.path, runner.lap[runner.at], walks[i].link_bytes());
      if (++runner.at == runner.lap.size()) runner.at = 0;
      if (step < settling) continue;
      runner.cycles += load.cycles;
      if (load.translated) ++runner.translated;
    }
  }
  for (auto& runner : runners) {
    runner.cycles /= static_cast<double>(counted);
    runner.translated /= static_cast<double>(counted);
  }
  return runners;
}

}  // namespace

std::vector<double> simulate_chases(const Model& model, std::span<const PlacedWalk> walks) {
  const std::uint64_t most = alike_at_every_scale(walks) ? kMostAlike : kMostOthers;
  std::vector<double> averages;
  if (total_nodes(walks) <= most) {
    for (const auto& runner : walk_in_full(model, walks)) averages.push_back(runner.cycles);
    return averages;
  }
  const double scale = scale_near(model, walks, static_cast<double>(total_nodes(walks)) / static_cast<double>(most));
  std::vector<PlacedWalk> small;
  for (const auto& walk : walks) small.push_back(scaled(walk, scale));
  const auto runners = walk_in_full(scaled(model, scale), small);
  for (std::size_t i = 0; i < walks.size(); ++i) {
    averages.push_back(runners[i].cycles + translation_cycles(model, walks[i].image, runners[i].translated));
  }
  return averages;
}

}  // namespace percycle::sim
