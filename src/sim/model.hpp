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
  not_mru,     ///< any way of the set except the one used last
};

/// The mapping of a line to its set; line number n is address / line_bytes.
enum class SetIndex {
  modulo,  ///< n mod sets
  /// The exclusive or of all groups of log2(sets) bits of n; the number of sets is a power of two.
  hashed,
};

/// The owner of an instance of a cache.
enum class Scope {
  /// `copies` instances per unit; subgroup s of a work-group uses instance s mod copies.
  unit,
  cluster,  ///< one instance per `cluster_units` consecutive units
  device,   ///< one instance
};

/// How the lines of a cache relate to those of the caches before it on a path.
enum class Inclusion {
  independent,
  exclusive,  ///< gets what the cache before it evicts; a hit moves the line back there
  inclusive,  ///< a line that it evicts leaves the caches before it, too
};

/// The line that a miss fetches in addition, into this cache and those behind it.
enum class Prefetch {
  none,
  next,      ///< line n + 1
  adjacent,  ///< the other line of the pair: n + 1 of an even n, n - 1 of an odd one
};

/// The size of a cache while work-groups declare local memory from the same storage.
struct CacheSplit {
  std::uint64_t local_bytes = 0;  ///< declared at most
  std::uint64_t size_bytes = 0;   ///< of the cache then
};

/// One cache. sets = size_bytes / (line_bytes * ways), exactly.
struct Cache {
  std::string name;
  std::uint64_t size_bytes = 0;
  /// Bytes per tag, allocated and evicted together; a power of two.
  std::uint64_t line_bytes = 128;
  /// bytes fetched per miss; a power of two that divides line_bytes
  std::uint64_t sector_bytes = 128;
  std::uint32_t ways = 1;
  SetIndex index = SetIndex::modulo;
  Replacement replacement = Replacement::lru;
  Scope scope = Scope::device;
  std::uint32_t copies = 1;          ///< scope unit only
  std::uint32_t cluster_units = 1;   ///< scope cluster only
  double bytes_per_cycle = 0;        ///< per instance; 0: not modelled
  std::vector<CacheSplit> splits{};  ///< ascending in local_bytes; may be empty
  bool physical = false;             ///< found by physical addresses, see PagePlacement
  Inclusion inclusion = Inclusion::independent;
  Prefetch prefetch = Prefetch::none;
  /// Equal parts of the sets. A hash of the line number chooses the slice, so that `slices`
  /// consecutive lines lie in as many slices.
  std::uint32_t slices = 1;
  /// Share of the lookups after which a neighbour's line takes a place in a random set.
  double foreign_share = 0;

  std::uint64_t sets() const { return size_bytes / (line_bytes * ways); }
};

/// A cache on a path, with the load-to-use latency of a hit on this path, in cycles.
struct Hop {
  std::size_t cache = 0;  ///< index into Model::caches
  double latency_cycles = 0;
  /// Hit latency in the far half of a partitioned cache. The near part acts as a cache of
  /// near_bytes with the same line, ways and policy before the whole: data of a unit beyond
  /// near_bytes is found in the far part.
  std::optional<double> far_latency_cycles;
  std::uint64_t near_bytes = 0;
  double word_cycles = 0;  ///< of each further distinct word that the lanes of a load request
  /// Hit latency of the lines whose number has an odd count of one bits; the others have
  /// latency_cycles.
  std::optional<double> far_lines_cycles{};
};

/// The caches of one path, first level first, and the cost if all miss.
struct Path {
  MemoryPath path = MemoryPath::global;
  std::vector<Hop> hops;
  double memory_latency_cycles = 0;
};

/// One level of address translation, with LRU replacement. A miss adds penalty_cycles to the access
/// and goes to the next level. A page walk cache is a further level with longer pages.
struct TlbModel {
  std::string name;
  std::uint64_t page_bytes = 0;
  std::uint64_t reach_bytes = 0;  ///< a multiple of page_bytes
  double penalty_cycles = 0;
  std::uint32_t per_units = 1;  ///< units per instance, consecutive; 0: one instance per device
  std::uint32_t ways = 0;       ///< page number modulo sets finds the set; 0: fully associative
};

/// Places of pages in the device's memory, drawn from `seed`.
struct PagePlacement {
  std::uint64_t page_bytes = 0;
  std::uint64_t seed = 1;
};

/// Rows of the device's memory. Each bank has one open row; a load from another row of the bank
/// takes row_cycles more and opens it. Row number n of the memory is in bank n modulo banks.
struct DramRows {
  std::uint64_t row_bytes = 0;
  std::uint32_t banks = 1;
  double row_cycles = 0;
};

struct LocalMemory {
  std::uint64_t bytes = 0;  ///< per work-group
  double latency_cycles = 0;
  std::uint32_t banks = 32;
  std::uint32_t bank_bytes = 4;
  /// Limit of a unit if it is less than all banks deliver; 0: the banks decide.
  double bytes_per_cycle = 0;
};

/// Latency of an atomic operation, in cycles, if 1, 2, 4, ... lanes use the same word at once.
using ContendedCycles = std::vector<double>;

/// Throughput of independent atomic operations, per cycle.
struct AtomicRates {
  double local_word = 0;     ///< on one word of local memory
  double local_unit = 0;     ///< per unit, on its local memory
  double global_word = 0;    ///< on one word of global memory, from all units
  double global_line = 0;    ///< on one line of the last cache of path global, from all units
  double global_unit = 0;    ///< per unit, on global memory
  double global_device = 0;  ///< all units together
};

struct Atomics {
  ContendedCycles local_cycles;
  ContendedCycles global_cycles;
  std::optional<AtomicRates> throughput;  ///< empty: not modelled
};

/// The latency for any number of contenders: linear between the figures, extrapolated from the last
/// two.
double cycles_of(const ContendedCycles& figures, std::uint32_t contenders);

/// The cost of one hand-over of a token, in cycles. Units form clusters of equal size, neighbours
/// first.
struct HandoverCosts {
  double local_cycles = 0;    ///< through local memory
  double unit_cycles = 0;     ///< through global memory, on one unit
  double cluster_cycles = 0;  ///< between two units of a cluster
  double far_cycles = 0;      ///< between clusters
  std::uint32_t clusters = 1;

  /// Cost through global memory between two of `units` units.
  double global_cycles(std::uint32_t first, std::uint32_t second, std::uint32_t units) const;
};

/// The part of a device that has one instance of an instruction cache.
enum class CodeOwner {
  scheduler,  ///< of a unit: subgroups whose numbers are equal modulo the schedulers
  unit,
  neighbours,  ///< units 2k and 2k + 1
  device,
};

/// One level of instruction caches.
struct InstructionCache {
  std::uint64_t size_bytes = 0;
  double cycles = 0;  ///< of an instruction of a subgroup that comes from it
  CodeOwner owner = CodeOwner::unit;
  /// Index into Model::caches: the cache of constants that is this one, too. Empty: it has none.
  std::optional<std::size_t> constants{};
};

/// Machine code and the caches that it comes from.
struct InstructionMemory {
  std::uint32_t bytes = 16;              ///< of one instruction
  std::vector<InstructionCache> caches;  ///< first level first
  double memory_cycles = 0;              ///< of an instruction that comes from memory
};

/// The distances between units and slices of the last cache of path global, drawn from `seed`.
/// Units that are together, and slices, lie in a square grid each.
struct ChipLayout {
  std::uint32_t slices = 1;
  std::uint32_t units_together = 1;  ///< consecutive units at one place
  std::uint32_t partitions = 1;      ///< of the chip
  double near_cycles = 0;            ///< of a hit without any distance
  double step_cycles = 0;            ///< from one slice to the next in a row or column
  double far_cycles = 0;             ///< to another partition, in addition
  std::uint64_t seed = 1;
};

/// The capacity of a unit.
struct UnitCapacity {
  std::uint32_t subgroups = 0;
  std::uint32_t groups = 0;
  std::uint64_t registers = 0;       ///< words of 32 bits in its register file
  std::uint32_t register_step = 1;   ///< of an invocation: it gets a multiple of this
  std::uint64_t local_bytes = 0;     ///< for all work-groups together
  std::uint64_t local_step = 1;      ///< a work-group gets a multiple of this,
  std::uint64_t local_overhead = 0;  ///< and takes so much more
};

/// Relative noise of each dispatch's (and each single access's) duration.
struct Noise {
  double gaussian = 0;        ///< standard deviation as a share of the value
  double outlier_share = 0;   ///< share of outliers
  double outlier_factor = 3;  ///< duration of an outlier relative to others
  std::uint64_t seed = 1;
  /// Bursts: a share of the runs of burst_dispatches dispatches takes burst_factor times the time.
  double burst_share = 0;
  std::uint64_t burst_dispatches = 1;
  double burst_factor = 1;
};

/// The core clock as a function of the device's busy time since it was opened.
struct ClockBehaviour {
  double mhz = 1000;         ///< settled
  double idle_mhz = 0;       ///< at first; 0: settled from the start
  double ramp_ms = 0;        ///< linear from idle to settled
  double throttled_mhz = 0;  ///< 0: never throttles
  double throttle_after_ms = 0;
  double throttle_constant_ms = 0;  ///< time constant of the approach to throttled_mhz; 0: a step
};

/// Power and temperature as functions of the busy time since the device was opened.
struct HeatBehaviour {
  double idle_w = 0;
  double load_w = 0;  ///< of a busy device
  double idle_c = 0;
  double load_c = 0;       ///< in the long run
  double constant_ms = 0;  ///< time constant of the approach to load_c
};

struct Timer {
  double resolution_ns = 1;         ///< device times are multiples of it
  double launch_ns = 4000;          ///< per dispatch, by the device's timer
  double host_overhead_ns = 10000;  ///< added to the host's times
  bool device = true;               ///< false: no device timer, host times only
};

struct UnitClock {
  double overhead_cycles = 2;  ///< per read
  double tick_mhz = 0;         ///< 0: counts core cycles; else a counter of this fixed rate
};

struct Fault {
  enum class Effect {
    build_failure,  ///< kernel number `at` (from 1) does not build
    out_of_memory,  ///< all buffers together may hold `at` bytes
    lost,           ///< dispatch number `at` (from 1) and every later call lose the device
    /// The device time of every `at`-th dispatch is negative, as if the timer jumped back.
    timer_backwards,
    wrong_result,  ///< from dispatch `at` on, one bit of the last binding is wrong
  };
  Effect kind = Effect::lost;
  std::uint64_t at = 1;
};

/// A device with a known memory hierarchy: the truth for tests of measurement and analysis.
struct Model {
  std::string name;
  std::string vendor;
  DeviceType type = DeviceType::gpu;
  std::uint32_t units = 1;
  std::uint32_t reported_units = 0;  ///< as the driver counts them; 0: `units`
  std::uint32_t subgroup_size = 32;
  std::uint32_t max_group_size = 1024;
  std::uint64_t memory_bytes = 0;
  std::uint64_t constant_bytes = 65536;
  std::uint32_t constant_buffers = 1;
  std::uint64_t max_texel_elements = 1u << 27;
  std::string compute_capability;   ///< see DeviceInfo; empty if it has none
  double cycles_per_operation = 4;  ///< per dependent arithmetic operation
  /// Cycles of some operations of `instruction_chain`, by name.
  std::map<std::string, double, std::less<>> operation_cycles;
  /// Results per unit and cycle of some operations of `instruction_stream`, by name.
  std::map<std::string, double, std::less<>> operation_results;
  std::uint32_t schedulers = 0;       ///< of a unit; 0: rates of operations are not modelled
  double memory_bytes_per_cycle = 0;  ///< bandwidth of the device's memory; 0: not modelled

  std::vector<Cache> caches;
  std::vector<Path> paths;
  std::vector<TlbModel> tlbs;  ///< first level first
  /// True: every load is translated. False: only misses of the path's first cache are.
  bool tlb_before_caches = false;
  std::optional<PagePlacement> pages;  ///< empty: physical addresses are the virtual ones
  std::optional<DramRows> dram;        ///< empty: the memory has no rows
  LocalMemory local;
  std::optional<Atomics> atomics;                 ///< empty: not modelled
  std::optional<HandoverCosts> handover;          ///< empty: not modelled
  std::optional<UnitCapacity> residency;          ///< empty: not modelled
  std::optional<ChipLayout> chip;                 ///< empty: not modelled
  std::optional<InstructionMemory> instructions;  ///< empty: not modelled
  Noise noise;
  ClockBehaviour clock;
  std::optional<HeatBehaviour> heat;  ///< empty: telemetry has the clock alone
  Timer timer;
  std::optional<UnitClock> unit_clock;
  std::vector<Fault> faults;

  std::string text_hash;  ///< of its file: a changed model is another device

  const Path* path(MemoryPath which) const;
};

/// Whether the model has an effect for which chases have no closed form.
bool needs_simulation(const Model& model);

/// The model with its caches as they are while work-groups declare so much local memory.
Model beside_local_memory(const Model& model, std::uint64_t local_bytes);

/// Reads a model from TOML text; `where` names it in errors. Throws UsageError "WHERE: MESSAGE" or
/// "WHERE:LINE: MESSAGE" for unknown, missing or contradictory keys and for figures without a
/// source. models/README.md describes the format.
Model parse_model(std::string_view text, const std::string& where);

/// The model that a selector names after "sim:": a shipped model by its name, else a file that ends
/// in ".toml". Throws UsageError.
Model load_model(const std::string& name);

/// Names of the shipped models, sorted.
std::vector<std::string> shipped_models();

/// The text of a shipped model's file.
std::string_view shipped_model_text(const std::string& name);

/// The description that the simulated device reports.
DeviceInfo describe(const Model& model, const std::string& selector_name);

}  // namespace percycle::sim
