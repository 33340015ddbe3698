#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cache_state.hpp"
#include "sim/memory_model.hpp"
#include "sim/model.hpp"
#include "sim/tlb_state.hpp"

namespace percycle::sim {

/// The model's path for loads of this kind; global if the model does not list the kind. Throws
/// std::invalid_argument if the model has neither.
const Path& path_taken(const Model& model, MemoryPath which);

/// The near part of a partitioned cache: near_bytes of it, with the same line, ways and policy.
/// Uses SetIndex::modulo if the number of sets is no power of two.
Cache near_part(const Cache& cache, std::uint64_t near_bytes);

/// The index of the cache instance that an actor uses.
std::uint64_t instance_of(const Cache& cache, const Actor& actor);

/// The result of a load.
struct Load {
  double cycles = 0;
  bool translated = false;  ///< whether the load was translated
};

/// The contents of all caches and translation buffers of a device, updated load by load. Addresses
/// are virtual and physical alike; only loads change contents. An instance is created at its first
/// use.
///
/// A load looks up the caches of its path one after the other. The first cache with the line gives
/// the latency, and all caches before it keep the line from then on. Each cache requests its own
/// whole sectors from the next. In a partitioned cache every load fills both the near part and the
/// whole. A load that misses the first cache (with `tlb_before_caches` every load) is translated:
/// each level without the page adds its penalty and looks up the next.
class CacheContents {
 public:
  /// `model` must outlive this.
  explicit CacheContents(const Model& model);

  /// Performs a load of `bytes` bytes. Unit numbers beyond the model's wrap around.
  Load load(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes);
  /// Performs an atomic in the last cache of the path, bypassing the others. Returns its latency in
  /// cycles.
  double atomic(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes);

 private:
  using Instances = std::vector<std::unique_ptr<CacheState>>;

  /// Looks up one cache. Returns its latency, empty on a miss.
  std::optional<double> ask(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes);
  double translate(const Actor& actor, std::uint64_t address);
  bool ask(Instances& instances, const Cache& cache, const Actor& actor, std::uint64_t address, std::uint64_t bytes);
  Actor on_device(Actor actor) const;

  /// The near part of a cache, as described by one or more hops.
  struct Near {
    std::size_t cache;
    std::uint64_t bytes;
    Cache part;
    Instances instances;
  };

  const Model& model_;
  std::vector<Instances> caches_;  // per cache of the model
  std::vector<Near> near_;
  std::vector<std::vector<std::unique_ptr<TlbState>>> tlbs_;  // per level of the model
};

}  // namespace percycle::sim
