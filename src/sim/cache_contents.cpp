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
  const std::uint64_t byte = address;
  std::optional<double> translation;
  if (model_.tlb_before_caches) translation = translate(actor, byte);
  for (const auto& hop : path.hops) {
    if (const auto latency = ask(actor, hop, address, bytes))
      return {*latency + translation.value_or(0), translation.has_value()};
    if (!translation) translation = translate(actor, byte);
    const std::uint64_t sector = model_.caches[hop.cache].sector_bytes;
    const std::uint64_t end = (address + bytes + sector - 1) & ~(sector - 1);
    address &= ~(sector - 1);
    bytes = end - address;
  }
  if (!translation) translation = translate(actor, byte);
  return {path.memory_latency_cycles + *translation, true};
}

double CacheContents::atomic(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes) {
  actor = on_device(actor);
  const double translation = translate(actor, address);
  if (path.hops.empty()) return path.memory_latency_cycles + translation;
  return ask(actor, path.hops.back(), address, bytes).value_or(path.memory_latency_cycles) + translation;
}

std::optional<double> CacheContents::ask(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes) {
  const bool whole = ask(caches_[hop.cache], model_.caches[hop.cache], actor, address, bytes);
  if (!hop.far_latency_cycles) return whole ? std::optional(hop.latency_cycles) : std::nullopt;
  auto& near = *std::find_if(near_.begin(), near_.end(), [&](const Near& candidate) {
    return candidate.cache == hop.cache && candidate.bytes == hop.near_bytes;
  });
  if (ask(near.instances, near.part, actor, address, bytes)) return hop.latency_cycles;
  return whole ? hop.far_latency_cycles : std::nullopt;
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

bool CacheContents::ask(Instances& instances, const Cache& cache, const Actor& actor, std::uint64_t address,
                        std::uint64_t bytes) {
  const std::uint64_t instance = instance_of(cache, actor);
  return made(instances, instance, cache, model_.noise.seed + instance).load(address, bytes);
}

Actor CacheContents::on_device(Actor actor) const {
  actor.unit %= model_.units;
  return actor;
}

}  // namespace percycle::sim
