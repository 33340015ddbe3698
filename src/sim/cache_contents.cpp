#include "sim/cache_contents.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace percycle::sim {
namespace {

/// Element `index`, created with everything before it if needed.
template <typename State, typename... Arguments>
State& made(std::vector<std::unique_ptr<State>>& all, std::uint64_t index, const Arguments&... arguments) {
  if (index >= all.size()) all.resize(index + 1);
  if (!all[index]) all[index] = std::make_unique<State>(arguments...);
  return *all[index];
}

double hit_cycles(const Hop& hop, std::uint64_t line) {
  return hop.far_lines_cycles && std::popcount(line) % 2 == 1 ? *hop.far_lines_cycles : hop.latency_cycles;
}

}  // namespace

const Path& path_taken(const Model& model, MemoryPath which) {
  if (const Path* path = model.path(which)) return *path;
  if (const Path* path = model.path(MemoryPath::global)) return *path;
  throw std::invalid_argument("the simulated device has no such memory path");
}

Cache near_part(const Cache& cache, std::uint64_t near_bytes) {
  Cache part = cache;
  const std::uint64_t sets = std::max<std::uint64_t>(1, near_bytes / (cache.line_bytes * cache.ways));
  part.size_bytes = sets * cache.line_bytes * cache.ways;
  if (!std::has_single_bit(sets)) part.index = SetIndex::modulo;
  return part;
}

std::uint64_t instance_of(const Cache& cache, const Actor& actor) {
  switch (cache.scope) {
    case Scope::unit:
      return std::uint64_t{actor.unit} * cache.copies + actor.subgroup % cache.copies;
    case Scope::cluster:
      return actor.unit / cache.cluster_units;
    case Scope::device:
      break;
  }
  return 0;
}

CacheContents::CacheContents(const Model& model) : model_(model), caches_(model.caches.size()), tlbs_(model.tlbs.size()) {
  if (model.pages) frames_.emplace(*model.pages, model.memory_bytes);
  if (model.dram) dram_.emplace(*model.dram);
  prefetches_ =
      std::any_of(model.caches.begin(), model.caches.end(), [](const Cache& cache) { return cache.prefetch != Prefetch::none; });
  moves_lines_ = std::any_of(model.caches.begin(), model.caches.end(),
                             [](const Cache& cache) { return cache.inclusion != Inclusion::independent; });
  for (const auto& path : model.paths) {
    for (const auto& hop : path.hops) {
      if (!hop.far_latency_cycles) continue;
      const bool known = std::any_of(near_.begin(), near_.end(),
                                     [&](const Near& near) { return near.cache == hop.cache && near.bytes == hop.near_bytes; });
      if (!known) near_.push_back({hop.cache, hop.near_bytes, near_part(model.caches[hop.cache], hop.near_bytes), {}});
    }
  }
}

Load CacheContents::load(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes) {
  actor = on_device(actor);
  Found found = look_up(actor, path, 0, address, bytes);
  const bool translated = model_.tlb_before_caches || found.hop > 0 || path.hops.empty();
  if (translated) found.cycles += translate(actor, address);
  if (dram_ && found.hop == path.hops.size()) found.cycles += dram_->open(frames_ ? frames_->physical(address) : address);
  if (prefetches_) prefetch(actor, path, found.hop, address);
  return {found.cycles, translated};
}

CacheContents::Found CacheContents::look_up(const Actor& actor, const Path& path, std::size_t first, std::uint64_t address,
                                            std::uint64_t bytes) {
  std::optional<std::uint64_t> victim;  // of the cache before
  for (std::size_t i = first; i < path.hops.size(); ++i) {
    const Hop& hop = path.hops[i];
    const Cache& cache = model_.caches[hop.cache];
    if (cache.inclusion == Inclusion::exclusive) {
      if (exchange(actor, hop, address, bytes, victim)) {
        push_down(actor, path, i + 1, victim);
        return {i, hop.latency_cycles};
      }
      continue;  // it asks the next cache for the same bytes
    }
    if (const auto latency = ask(actor, hop, address, bytes)) return {i, *latency};
    if (moves_lines_) victim = instance(hop.cache, actor).evicted();
    if (victim && cache.inclusion == Inclusion::inclusive) evict_before(path, i, *victim);
    const std::uint64_t sector = cache.sector_bytes;
    const std::uint64_t end = (address + bytes + sector - 1) & ~(sector - 1);
    address &= ~(sector - 1);
    bytes = end - address;
  }
  return {path.hops.size(), path.memory_latency_cycles};
}

bool CacheContents::exchange(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes,
                             std::optional<std::uint64_t>& victim) {
  CacheState& state = instance(hop.cache, actor);
  const bool hit = state.remove(place_in(model_.caches[hop.cache], address), bytes);
  if (victim) {
    state.insert(*victim);
    victim = state.evicted();
  }
  return hit;
}

void CacheContents::push_down(const Actor& actor, const Path& path, std::size_t hop, std::optional<std::uint64_t> victim) {
  for (; victim && hop < path.hops.size() && model_.caches[path.hops[hop].cache].inclusion == Inclusion::exclusive; ++hop) {
    CacheState& state = instance(path.hops[hop].cache, actor);
    state.insert(*victim);
    victim = state.evicted();
  }
}

void CacheContents::evict_before(const Path& path, std::size_t hop, std::uint64_t line) {
  const std::uint64_t bytes = model_.caches[path.hops[hop].cache].line_bytes;
  for (std::size_t i = 0; i < hop; ++i) {
    for (const auto& state : caches_[path.hops[i].cache]) {
      if (state) state->remove(line * bytes, bytes);
    }
  }
}

void CacheContents::prefetch(const Actor& actor, const Path& path, std::size_t missed, std::uint64_t address) {
  for (std::size_t i = 0; i < missed; ++i) {
    const Cache& cache = model_.caches[path.hops[i].cache];
    if (cache.prefetch == Prefetch::none) continue;
    const std::uint64_t line = address / cache.line_bytes;
    const std::uint64_t other = cache.prefetch == Prefetch::next ? line + 1 : line ^ 1;
    look_up(actor, path, i, other * cache.line_bytes, cache.line_bytes);
  }
}
double CacheContents::atomic(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes) {
  actor = on_device(actor);
  const double translation = translate(actor, address);
  if (path.hops.empty()) return path.memory_latency_cycles + translation;
  return ask(actor, path.hops.back(), address, bytes).value_or(path.memory_latency_cycles) + translation;
}

std::optional<double> CacheContents::ask(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes) {
  const Cache& cache = model_.caches[hop.cache];
  address = place_in(cache, address);
  const bool whole = instance(hop.cache, actor).load(address, bytes);
  if (!hop.far_latency_cycles) return whole ? std::optional(hit_cycles(hop, address / cache.line_bytes)) : std::nullopt;
  auto& near = *std::find_if(near_.begin(), near_.end(), [&](const Near& candidate) {
    return candidate.cache == hop.cache && candidate.bytes == hop.near_bytes;
  });
  if (state_of(near.instances, near.part, actor).load(address, bytes)) return hop.latency_cycles;
  return whole ? hop.far_latency_cycles : std::nullopt;
}

std::uint64_t CacheContents::place_in(const Cache& cache, std::uint64_t address) const {
  return cache.physical && frames_ ? frames_->physical(address) : address;
}

CacheState& CacheContents::instance(std::size_t cache, const Actor& actor) {
  return state_of(caches_[cache], model_.caches[cache], actor);
}

double CacheContents::translate(const Actor& actor, std::uint64_t address) {
  double cycles = 0;
  for (std::size_t level = 0; level < tlbs_.size(); ++level) {
    const TlbModel& tlb = model_.tlbs[level];
    const std::uint64_t instance = tlb.per_units == 0 ? 0 : actor.unit / tlb.per_units;
    if (made(tlbs_[level], instance, tlb).lookup(address)) break;
    cycles += tlb.penalty_cycles;
  }
  return cycles;
}

CacheState& CacheContents::state_of(Instances& instances, const Cache& cache, const Actor& actor) const {
  const std::uint64_t number = instance_of(cache, actor);
  return made(instances, number, cache, model_.noise.seed + number);
}

Actor CacheContents::on_device(Actor actor) const {
  actor.unit %= model_.units;
  return actor;
}

}  // namespace percycle::sim
