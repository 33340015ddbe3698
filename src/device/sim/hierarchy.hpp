#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/sim/cache_state.hpp"
#include "device/sim/memory_model.hpp"
#include "device/sim/model.hpp"
#include "device/sim/tlb_state.hpp"

namespace percycle::sim {

/// The path of the model that loads of this kind take: those of a kind that the model does not list go the way of global loads. Throws
/// std::invalid_argument when there is no such path either.
const Path& path_taken(const Model& model, MemoryPath which);

/// The near part of a partitioned cache: near_bytes of it, with the same line, ways and policy. Sets that are no power of two are found by
/// SetIndex::modulo.
Cache near_part(const Cache& cache, std::uint64_t near_bytes);

/// The instance of a cache that an actor uses.
std::uint64_t instance_of(const Cache& cache, const Actor& actor);

/// What became of a load.
struct Load {
  double cycles = 0;
  bool translated = false;  ///< whether translation was asked
};

/// What all caches and translation buffers of a device hold, load by load.
///
/// A load asks the caches of its path one after the other; the first that has it names the latency, and all before it have it from then on.
/// Each asks the next for whole sectors of its own. A partitioned cache has its near part and the whole filled by every load that asks it.
/// A load that the first cache does not have (with Model::tlb_before_caches every load) is translated: each level that does not have the page
/// adds its penalty and asks the next.
/// Addresses are virtual and physical alike; contents change with loads only. An instance is made when it is first used.
class Hierarchy {
 public:
  /// `model` must outlive this.
  explicit Hierarchy(const Model& model);

  /// A load of `bytes` bytes. Units beyond the model's wrap around.
  Load load(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes);
  /// An atomic: done in the last cache of the path, past the others; its latency in cycles.
  double atomic(Actor actor, const Path& path, std::uint64_t address, std::uint64_t bytes);

 private:
  using Instances = std::vector<std::unique_ptr<CacheState>>;

  /// Asks one cache; its latency, or nothing when it does not have it.
  std::optional<double> ask(const Actor& actor, const Hop& hop, std::uint64_t address, std::uint64_t bytes);
  double translate(const Actor& actor, std::uint64_t address);
  bool ask(Instances& instances, const Cache& cache, const Actor& actor, std::uint64_t address, std::uint64_t bytes);
  Actor on_device(Actor actor) const;

  /// The near part of a cache, as one or more hops describe it.
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
