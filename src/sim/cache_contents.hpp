#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cache_state.hpp"
#include "sim/dram_state.hpp"
#include "sim/memory_model.hpp"
#include "sim/model.hpp"
#include "sim/page_frames.hpp"
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

/// The contents of all caches and translation buffers of a device, updated load by load. Only loads
/// change contents. An instance is created at its first use.
///
/// A load looks up the caches of its path one after the other. The first cache with the line gives
/// the latency, and all caches before it keep the line from then on. Each cache requests its own
/// whole sectors from the next. In a partitioned cache every load fills both the near part and the
/// whole. A load that misses the first cache (with `tlb_before_caches` every load) is translated:
/// each level without the page adds its penalty and looks up the next.
///
/// A hit in an exclusive cache moves the line to the caches before it, which then evict into it.
/// After a load, each cache with a prefetcher that missed fetches one more line, without
/// translation.
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

  /// The hop that had the bytes, and its latency; behind the last hop that of the memory.
  struct Found {
    std::size_t hop = 0;
    double cycles = 0;
  };

  /// Looks up the caches of the path from hop `first` on.
  Found look_up(const Actor& actor, const Path& path, std::size_t first, std::uint64_t address, std::uint64_t bytes);
  /// Takes the bytes out of an exclusive cache, then puts in the line that the cache before
  /// evicted, if any; `victim` becomes the one that this cache evicts. Returns whether it had the
  /// bytes.
  bool exchange(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes,
                std::optional<std::uint64_t>& victim);
  /// Puts a line that hop `hop - 1` evicted into the exclusive caches that follow it.
  void push_down(const Actor& actor, const Path& path, std::size_t hop, std::optional<std::uint64_t> victim);
  /// For each of the first `missed` hops that has a prefetcher.
  void prefetch(const Actor& actor, const Path& path, std::size_t missed, std::uint64_t address);
  /// Removes the line that an inclusive cache evicted from the caches before it.
  void evict_before(const Path& path, std::size_t hop, std::uint64_t line);
  std::uint64_t place_in(const Cache& cache, std::uint64_t address) const;
  CacheState& instance(std::size_t cache, const Actor& actor);

  /// Looks up one cache. Returns its latency, empty on a miss.
  std::optional<double> ask(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes);
  double translate(const Actor& actor, std::uint64_t address);
  CacheState& state_of(Instances& instances, const Cache& cache, const Actor& actor) const;
  Actor on_device(Actor actor) const;

  /// The near part of a cache, as described by one or more hops.
  struct Near {
    std::size_t cache;
    std::uint64_t bytes;
    Cache part;
    Instances instances;
  };

  const Model& model_;
  std::optional<PageFrames> frames_;
  std::optional<DramState> dram_;
  bool prefetches_ = false;        ///< any cache does
  bool moves_lines_ = false;       ///< any cache is exclusive or inclusive
  std::vector<Instances> caches_;  // per cache of the model
  std::vector<Near> near_;
  std::vector<std::vector<std::unique_ptr<TlbState>>> tlbs_;  // per level of the model
};

}  // namespace percycle::sim
