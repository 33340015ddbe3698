#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access.hpp"
#include "device/info.hpp"

namespace percycle::sim {

enum class Replacement {
  lru,
  pseudo_lru,  ///< binary tree; ways are a power of two
  random,      ///< any way of the set, once no way is empty
  not_mru,     ///< any way of the set but the one used last
};

/// How a line finds its set, line number n being address / line_bytes.
enum class SetIndex {
  modulo,  ///< n mod sets
  hashed,  ///< the exclusive or of all groups of log2(sets) bits of n; sets are a power of two
};

/// Who owns an instance of a cache.
enum class Scope {
  unit,     ///< `copies` instances to a unit; subgroup s of a work-group uses instance s mod copies
  cluster,  ///< one instance to `cluster_units` consecutive units
  device,   ///< one instance
};

/// One cache. sets = size_bytes / (line_bytes * ways), exactly.
struct Cache {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::uint64_t line_bytes = 128;    ///< what one tag covers: allocated and evicted together; a power of two
  std::uint64_t sector_bytes = 128;  ///< what one miss fetches; a power of two that divides line_bytes
  std::uint32_t ways = 1;
  SetIndex index = SetIndex::modulo;
  Replacement replacement = Replacement::lru;
  Scope scope = Scope::device;
  std::uint32_t copies = 1;         ///< scope unit only
  std::uint32_t cluster_units = 1;  ///< scope cluster only
  double bytes_per_cycle = 0;       ///< of one instance; 0: not modelled

  std::uint64_t sets() const { return size_bytes / (line_bytes * ways); }
};

/// A cache on a path and the load-to-use latency of a hit there, in cycles, seen from this path.
struct Hop {
  std::size_t cache = 0;  ///< index into Model::caches
  double latency_cycles = 0;
  /// A partitioned cache (near/far): lines of the far half that hit cost this instead. What lies beyond near_bytes of the data a unit walks
  /// is found in the far part: the near part is a cache of near_bytes with the same line, ways and policy in front of the whole.
  std::optional<double> far_latency_cycles;
  std::uint64_t near_bytes = 0;
};

/// The caches that loads of one path go through, first level first, and what they cost when all miss.
struct Path {
  MemoryPath path = MemoryPath::global;
  std::vector<Hop> hops;
  double memory_latency_cycles = 0;
};

/// One level of address translation, fully associative with LRU replacement. A miss costs penalty_cycles on top of the access, and the next
/// level is asked.
struct Tlb {
  std::string name;
  std::uint64_t page_bytes = 0;
  std::uint64_t reach_bytes = 0;  ///< a multiple of page_bytes
  double penalty_cycles = 0;
  std::uint32_t per_units = 1;  ///< one instance to this many consecutive units; 0: one to the device
};

struct LocalMemory {
  std::uint64_t bytes = 0;  ///< of one work-group
  double latency_cycles = 0;
  std::uint32_t banks = 32;
  std::uint32_t bank_bytes = 4;
  double bytes_per_cycle = 0;  ///< of a unit, where that is less than all banks deliver; 0: they decide alone
};

/// Latency of an atomic operation, in cycles, when 1, 2, 4, ... lanes ask for the same word at once.
using ContendedCycles = std::vector<double>;

/// Atomic operations per cycle that nothing waits for.
struct AtomicThroughput {
  double local_word = 0;     ///< on one word of local memory
  double local_unit = 0;     ///< of a unit, on its local memory
  double global_word = 0;    ///< on one word of global memory, whoever asks
  double global_line = 0;    ///< on one line of the last cache of path global, likewise
  double global_unit = 0;    ///< of a unit, on global memory
  double global_device = 0;  ///< of all units together
};

struct Atomics {
  ContendedCycles local_cycles;
  ContendedCycles global_cycles;
  std::optional<AtomicThroughput> throughput;  ///< none: not modelled
};

/// The latency for any number of contenders: linear between the figures, and beyond the last as between the last two.
double cycles_of(const ContendedCycles& figures, std::uint32_t contenders);

/// What one hand-over of a token takes, in cycles. Units are in clusters of equal size, neighbours first.
struct HandoverCosts {
  double local_cycles = 0;    ///< through local memory
  double unit_cycles = 0;     ///< through global memory, on one unit
  double cluster_cycles = 0;  ///< between two units of a cluster
  double far_cycles = 0;      ///< between clusters
  std::uint32_t clusters = 1;

  /// Through global memory, between any two units of so many.
  double global_cycles(std::uint32_t first, std::uint32_t second, std::uint32_t units) const;
};

/// Relative noise of each dispatch's (and each single access's) duration.
struct Noise {
  double gaussian = 0;        ///< standard deviation as a share of the value
  double outlier_share = 0;   ///< how many are outliers
  double outlier_factor = 3;  ///< how much longer an outlier takes
  std::uint64_t seed = 1;
};

/// The core clock over the time the device has been busy since it was opened.
struct ClockBehaviour {
  double mhz = 1000;         ///< settled
  double idle_mhz = 0;       ///< at first; 0: settled from the start
  double ramp_ms = 0;        ///< linear from idle to settled
  double throttled_mhz = 0;  ///< 0: never throttles
  double throttle_after_ms = 0;
};

struct Timer {
  double resolution_ns = 1;         ///< device times are multiples of it
  double launch_ns = 4000;          ///< of every dispatch, by the device's timer
  double host_overhead_ns = 10000;  ///< what the host sees on top
  bool device = true;               ///< false: no device timer, host times only
};

struct UnitClock {
  double overhead_cycles = 2;  ///< of one read
  double tick_mhz = 0;         ///< 0: counts core cycles; else a counter of this fixed rate
};

struct Fault {
  enum class Kind {
    build_failure,    ///< kernel number `at` (from 1) does not build
    out_of_memory,    ///< all buffers together may hold `at` bytes
    lost,             ///< the device is lost at dispatch number `at` (from 1), and every call after it
    timer_backwards,  ///< the device time of every `at`-th dispatch is that of a timer that jumped back: negative
    wrong_result,     ///< from dispatch `at` on, one bit of the last binding is wrong
  };
  Kind kind = Kind::lost;
  std::uint64_t at = 1;
};

/// A device whose memory hierarchy is known: the truth that measuring and analysis are checked against.
struct Model {
  std::string name;
  std::string vendor;
  DeviceType type = DeviceType::gpu;
  std::uint32_t units = 1;
  std::uint32_t subgroup_size = 32;
  std::uint32_t max_group_size = 1024;
  std::uint64_t memory_bytes = 0;
  std::uint64_t constant_bytes = 65536;
  std::uint64_t max_texel_elements = 1u << 27;
  std::string compute_capability;                               ///< see DeviceInfo; empty: none
  double cycles_per_operation = 4;                              ///< of one dependent arithmetic operation
  std::map<std::string, double, std::less<>> operation_cycles;  ///< of some operations of `instruction_chain`, by name
  double memory_bytes_per_cycle = 0;                            ///< of the device's memory; 0: not modelled

  std::vector<Cache> caches;
  std::vector<Path> paths;
  std::vector<Tlb> tlbs;           ///< first level first
  bool tlb_before_caches = false;  ///< true: every load is translated; false: only loads that miss the path's first cache
  LocalMemory local;
  std::optional<Atomics> atomics;         ///< none: not modelled
  std::optional<HandoverCosts> handover;  ///< likewise
  Noise noise;
  ClockBehaviour clock;
  Timer timer;
  std::optional<UnitClock> unit_clock;
  std::vector<Fault> faults;

  std::string text_hash;  ///< of the file it came from: a changed model is another device

  const Path* path(MemoryPath which) const;
};

/// Reads a model from TOML text; `where` names it in errors. Throws UsageError "WHERE: what" or "WHERE:LINE: what" for anything unknown,
/// missing, contradictory or without a source. The format is described in models/README.md.
Model parse_model(std::string_view text, const std::string& where);

/// The model behind a selector's "sim:" part: a shipped model by its name, else a file that ends in ".toml". Throws UsageError.
Model load_model(const std::string& name);

/// Names of the shipped models, sorted.
std::vector<std::string> shipped_models();

/// The text of a shipped model's file.
std::string_view shipped_model_text(const std::string& name);

/// What the simulated device says of itself.
DeviceInfo describe(const Model& model, const std::string& selector_name);

}  // namespace percycle::sim
