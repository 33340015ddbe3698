#include "sim/chase_simulation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "sim/cache_contents.hpp"
#include "sim/chase_formula.hpp"

namespace percycle::sim {
namespace {

// Nodes walked in full. Random dense chains look alike at every scale and need fewer; others may
// lose structure in a smaller copy.
constexpr std::uint64_t kMostAlike = 4096;
constexpr std::uint64_t kMostOthers = 65536;
// A chase has settled if consecutive laps of this many loads took equally long. Random replacement
// may never settle so. Then a fixed number of loads settles it, more if the walk nearly fits, and
// equally many are counted: the error is below half a percent of a miss share.
constexpr std::uint64_t kEqualLoads = 4096;
constexpr std::uint64_t kSettlingSteps = 65536;
constexpr std::uint64_t kFewestSettlingLaps = 3;
constexpr std::uint64_t kMostSettlingLaps = 16;
constexpr std::uint64_t kCountedSteps = 32768;
// A small copy of a cache must still hold this many groups of nodes, as the walk returns to them.
constexpr std::uint64_t kGroupsHeld = 2;
// The small walk must still overrun a cache that keeps its size, by this factor.
constexpr double kOverrun = 8;
// A cache with too few sets to shrink loses ways instead, down to this number.
constexpr std::uint64_t kFewestWays = 16;

std::uint64_t total_nodes(std::span<const PlacedWalk> walks) {
  return std::accumulate(walks.begin(), walks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const PlacedWalk& walk) { return sum + walk.image.chain.nodes(); });
}

bool alike_at_every_scale(const Model& model, std::span<const PlacedWalk> walks) {
  return !needs_simulation(model) && walks.size() == 1 && walks[0].image.layout.columns == 0 && walks[0].image.chain.group() == 1;
}

/// Number of sets per used set, for nodes at this distance.
std::uint64_t sets_to_one(const Cache& cache, std::uint64_t sets, std::uint64_t stride_bytes) {
  const bool all = (cache.index == SetIndex::hashed && std::has_single_bit(sets)) || cache.slices > 1;
  return all ? 1 : std::gcd(sets, std::max<std::uint64_t>(1, stride_bytes / cache.line_bytes));
}

/// About 1/scale of the sets; nodes use the same share of them.
std::uint64_t scaled_sets(const Cache& cache, double scale, std::uint64_t stride_bytes) {
  auto sets = static_cast<std::uint64_t>(std::llround(static_cast<double>(cache.sets()) / scale));
  sets = std::max<std::uint64_t>(1, sets);
  while (sets_to_one(cache, sets, stride_bytes) != sets_to_one(cache, cache.sets(), stride_bytes)) ++sets;
  return sets;
}

/// A cache with 1/scale of the lines, for nodes at this distance.
Cache scaled(const Cache& cache, double scale, std::uint64_t stride_bytes) {
  Cache small = cache;
  const std::uint64_t sets = scaled_sets(cache, scale, stride_bytes);
  const double lines = static_cast<double>(cache.sets() * cache.ways) / scale;
  if (const auto most = std::max(kFewestWays, static_cast<std::uint64_t>(std::ceil(lines))); sets == 1 && cache.ways > most) {
    small.ways = static_cast<std::uint32_t>(std::bit_floor(most));
  }
  small.size_bytes = sets * small.ways * cache.line_bytes;
  if (!std::has_single_bit(sets)) small.index = SetIndex::modulo;
  return small;
}

std::uint64_t apart(const ChainImage& image) {
  const auto& layout = image.layout;
  return layout.columns == 0 ? layout.stride_bytes : std::min(layout.stride_bytes, layout.row_stride_bytes);
}

/// Nodes of a group, in whole rows; a small copy keeps them together.
std::uint64_t unit_nodes(const ChainImage& image) {
  return std::lcm(image.chain.group(), std::max<std::uint64_t>(1, image.layout.columns));
}

/// Whether the walk consists of blocks, row after row. The number of blocks decides whether they
/// fit, so a small copy has as many, with shorter rows.
bool is_of_blocks(const ChainImage& image) {
  const auto& layout = image.layout;
  return layout.columns > 1 && layout.row_stride_bytes >= layout.columns * layout.stride_bytes &&
         image.chain.group() % layout.columns == 0;
}

/// The factors by which the walk and its caches shrink.
struct Scale {
  double factor = 1;
  /// By cache: it keeps its size, since a smaller one would not hold a group.
  std::vector<bool> keeps;
};

bool translates_by_sets(const Model& model) {
  return std::any_of(model.tlbs.begin(), model.tlbs.end(), [](const TlbModel& tlb) { return tlb.ways > 0; });
}

std::uint64_t longest_line(const Model& model) {
  std::uint64_t bytes = 1;
  for (const auto& cache : model.caches) bytes = std::max(bytes, cache.line_bytes);
  return bytes;
}

/// A page or row of a small copy: 1/scale of it, but no less than a line, so that each number of a
/// page stays the same as long as it has several lines.
std::uint64_t scaled_page(const Model& model, std::uint64_t page_bytes, double scale) {
  return std::max(page_bytes / static_cast<std::uint64_t>(scale), std::min(page_bytes, longest_line(model)));
}

TlbModel scaled(const Model& model, const TlbModel& tlb, double scale) {
  TlbModel small = tlb;
  small.page_bytes = scaled_page(model, tlb.page_bytes, scale);
  const std::uint64_t ways = tlb.ways == 0 ? 1 : tlb.ways;
  const std::uint64_t entries = tlb.reach_bytes / static_cast<std::uint64_t>(scale) / small.page_bytes;
  small.reach_bytes = std::max<std::uint64_t>(1, entries / ways) * ways * small.page_bytes;
  return small;
}

Model scaled(const Model& model, const Scale& scale, std::uint64_t stride_bytes) {
  Model small = model;
  for (std::size_t i = 0; i < small.caches.size(); ++i) {
    if (!scale.keeps[i]) small.caches[i] = scaled(model.caches[i], scale.factor, stride_bytes);
  }
  for (auto& path : small.paths) {
    for (auto& hop : path.hops) {
      if (!hop.far_latency_cycles || scale.keeps[hop.cache]) continue;
      hop.near_bytes = scaled(near_part(model.caches[hop.cache], hop.near_bytes), scale.factor, stride_bytes).size_bytes;
    }
  }
  if (small.pages) {
    small.pages->page_bytes = scaled_page(model, model.pages->page_bytes, scale.factor);
    small.memory_bytes = model.memory_bytes / model.pages->page_bytes * small.pages->page_bytes;
  }
  if (small.dram) small.dram->row_bytes = scaled_page(model, model.dram->row_bytes, scale.factor);
  small.tlbs.clear();
  if (translates_by_sets(model)) {
    for (const auto& tlb : model.tlbs) small.tlbs.push_back(scaled(model, tlb, scale.factor));
  }
  return small;
}

PlacedWalk scaled(const PlacedWalk& walk, double scale) {
  const Chain& chain = walk.image.chain;
  if (is_of_blocks(walk.image)) {
    const auto factor = static_cast<std::uint64_t>(scale);
    PlacedWalk small = walk;
    small.image.chain = Chain(chain.nodes() / factor, chain.order(), 1, chain.group() / factor);
    small.image.layout.columns /= factor;
    small.image.layout.row_stride_bytes /= factor;
    return small;
  }
  const std::uint64_t unit = unit_nodes(walk.image);
  const auto nodes = static_cast<std::uint64_t>(static_cast<double>(chain.nodes()) / scale);
  PlacedWalk small = walk;
  small.image.chain = Chain(std::max<std::uint64_t>(nodes / unit, 2) * unit, chain.order(), 1, chain.group());
  return small;
}

/// The base of a small copy, at a line, so that its pages have the numbers of the whole.
std::uint64_t scaled_base(const Model& model, std::uint64_t base, double scale) {
  const std::uint64_t line_bytes = longest_line(model);
  return base / static_cast<std::uint64_t>(scale) / line_bytes * line_bytes;
}

/// A scale of about `wanted` that leaves the cache with the capacity nearest to the walk a whole
/// number of sets.
Scale scale_alike(const Model& model, const PlacedWalk& walk, double wanted) {
  const double walked = static_cast<double>(walk.image.chain.nodes() * apart(walk.image));
  double nearest = INFINITY;
  double scale = wanted;
  for (const auto& hop : path_taken(model, walk.path).hops) {
    const Cache& cache = model.caches[hop.cache];
    const double distance = std::abs(std::log(static_cast<double>(cache.size_bytes) / walked));
    if (distance >= nearest) continue;
    nearest = distance;
    scale = static_cast<double>(cache.sets()) / static_cast<double>(scaled_sets(cache, wanted, apart(walk.image)));
  }
  return {std::max(scale, wanted / 2), std::vector<bool>(model.caches.size())};
}

/// The largest power of two up to about `wanted` by which all parts can shrink: rows that share
/// sets still do, and groups fit the same caches.
Scale scale_others(const Model& model, std::span<const PlacedWalk> walks, double wanted) {
  std::uint64_t bytes = 0;
  std::uint64_t group_bytes = 0;
  for (const auto& walk : walks) {
    bytes += walk.image.chain.nodes() * apart(walk.image);
    if (!is_of_blocks(walk.image)) group_bytes = std::max(group_bytes, unit_nodes(walk.image) * apart(walk.image));
  }
  for (auto factor = std::bit_ceil(static_cast<std::uint64_t>(wanted)); factor > 1; factor /= 2) {
    Scale scale{static_cast<double>(factor), {}};
    bool sound = std::all_of(walks.begin(), walks.end(), [&](const PlacedWalk& walk) {
      const auto& layout = walk.image.layout;
      return !is_of_blocks(walk.image) ||
             (layout.columns % factor == 0 && layout.row_stride_bytes / factor % layout.stride_bytes == 0);
    });
    for (const auto& cache : model.caches) {
      const bool shrinks = cache.sets() % (factor * cache.slices) == 0 && cache.size_bytes / factor >= kGroupsHeld * group_bytes;
      scale.keeps.push_back(!shrinks);
      if (!shrinks &&
          static_cast<double>(bytes) / static_cast<double>(factor) < kOverrun * static_cast<double>(cache.size_bytes)) {
        sound = false;
      }
    }
    if (sound) return scale;
  }
  return {1, std::vector<bool>(model.caches.size())};
}

/// The average load of one walk.
struct Average {
  double cycles = 0;
  double translated = 0;
  bool operator==(const Average&) const = default;
};

/// Simultaneous chases, lap by lap; a lap has as many steps as the longest chase has nodes.
class Race {
 public:
  Race(const Model& model, std::span<const PlacedWalk> walks) : caches_(model) {
    for (const auto& walk : walks) {
      Runner runner{walk.actor, &path_taken(model, walk.path), walk.link_bytes(), {}, 0};
      for (std::uint64_t i = 0; i < walk.image.chain.nodes(); ++i) runner.addresses.push_back(walk.address(i));
      steps_ = std::max(steps_, walk.image.chain.nodes());
      runners_.push_back(std::move(runner));
    }
  }

  std::uint64_t steps() const { return steps_; }

  std::vector<Average> lap() {
    std::vector<Average> sums(runners_.size());
    for (std::uint64_t step = 0; step < steps_; ++step) {
      for (std::size_t i = 0; i < runners_.size(); ++i) {
        Runner& runner = runners_[i];
        const Load load = caches_.load(runner.actor, *runner.path, runner.addresses[runner.at], runner.bytes);
        if (++runner.at == runner.addresses.size()) runner.at = 0;
        sums[i].cycles += load.cycles;
        if (load.translated) ++sums[i].translated;
      }
    }
    for (auto& sum : sums) sum = {sum.cycles / static_cast<double>(steps_), sum.translated / static_cast<double>(steps_)};
    return sums;
  }

 private:
  struct Runner {
    Actor actor;
    const Path* path;
    std::uint64_t bytes;
    std::vector<std::uint64_t> addresses;  ///< in order
    std::size_t at;
  };

  CacheContents caches_;
  std::vector<Runner> runners_;
  std::uint64_t steps_ = 0;
};

std::vector<Average> settled(const Model& model, std::span<const PlacedWalk> walks) {
  Race race(model, walks);
  const std::uint64_t settling = std::clamp(kSettlingSteps / race.steps(), kFewestSettlingLaps, kMostSettlingLaps);
  const std::uint64_t counted = (kCountedSteps + race.steps() - 1) / race.steps();
  std::vector<Average> last = race.lap();
  std::vector<Average> mean(walks.size());
  std::uint64_t equal_steps = 0;
  for (std::uint64_t lap = 1; lap < settling + counted; ++lap) {
    auto now = race.lap();
    equal_steps = now == last ? equal_steps + race.steps() : 0;
    if (equal_steps >= kEqualLoads) return now;
    last = std::move(now);
    if (lap < settling) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i].cycles += last[i].cycles / static_cast<double>(counted);
      mean[i].translated += last[i].translated / static_cast<double>(counted);
    }
  }
  return mean;
}

}  // namespace

std::vector<double> simulate_chases(const Model& model, std::span<const PlacedWalk> walks) {
  const bool alike = alike_at_every_scale(model, walks);
  const double wanted = static_cast<double>(total_nodes(walks)) / static_cast<double>(alike ? kMostAlike : kMostOthers);
  const Scale scale = wanted <= 1 ? Scale{} : alike ? scale_alike(model, walks[0], wanted) : scale_others(model, walks, wanted);
  std::vector<double> averages;
  if (scale.factor == 1) {
    for (const auto& average : settled(model, walks)) averages.push_back(average.cycles);
    return averages;
  }
  std::vector<PlacedWalk> small;
  for (const auto& walk : walks) {
    small.push_back(scaled(walk, scale.factor));
    if (needs_simulation(model)) small.back().base = scaled_base(model, walk.base, scale.factor);
  }
  const Model small_model = scaled(model, scale, apart(walks[0].image));
  const auto found = settled(small_model, small);
  for (std::size_t i = 0; i < walks.size(); ++i) {
    if (translates_by_sets(model)) {
      averages.push_back(found[i].cycles);
      continue;
    }
    averages.push_back(found[i].cycles + translation_cycles(model, walks[i].image, found[i].translated));
  }
  return averages;
}

}  // namespace percycle::sim
