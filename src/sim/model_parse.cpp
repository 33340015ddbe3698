#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "expected/instruction_stream.hpp"
#include "sim/cache_state.hpp"
#include "sim/model.hpp"
#include "sim/model_sources.hpp"
#include "toml/strict_table.hpp"

namespace percycle::sim {
namespace {

constexpr bool kRequired = true;
constexpr bool kFigure = true;

constexpr NumberRange kPositive{"a number above 0", [](double value) { return value > 0; }};
constexpr NumberRange kMegahertz{"a number from 1 to 100000", [](double value) { return value >= 1 && value <= 100000; }};
constexpr NumberRange kNotNegative{"a number from 0 on", [](double value) { return value >= 0; }};
constexpr NumberRange kFromOne{"a number from 1 on", [](double value) { return value >= 1; }};
constexpr NumberRange kShare{"a number from 0 to below 1", [](double value) { return value >= 0 && value < 1; }};

/// "cache 'L1'", or "cache" if it has no name yet.
std::string titled(std::string_view kind, const toml::table& table, std::string_view name_key) {
  const auto name = table[name_key].value_exact<std::string>();
  return name ? fmt::format("{} '{}'", kind, *name) : std::string(kind);
}

/// The prefix of the keys of a table's figures.
std::string named(const toml::table& table, std::string_view name_key) { return table[name_key].value_or(std::string()); }

/// Reads the parts of one file; `figures` collects the keys that need a source.
class ModelReader {
 public:
  explicit ModelReader(std::string where) : where_(std::move(where)) {}

  Model read(const toml::table& file);

 private:
  /// Names its figures PREFIX.KEY.
  StrictTable open(const toml::table& node, std::string_view title, std::string_view prefix, const std::vector<KnownKey>& keys);
  Cache cache(const toml::table& node);
  Path path(const toml::table& node);
  Hop hop(const toml::table& node, const std::string& path_name);
  TlbModel tlb(const toml::table& node);
  LocalMemory local(const toml::table& node);
  Atomics atomics(const toml::table& node);
  HandoverCosts handover(const toml::table& node);
  AtomicRates atomic_throughput(const toml::table& node);
  UnitCapacity residency(const toml::table& node);
  ChipLayout chip(const toml::table& node);
  InstructionMemory instructions(const toml::table& node);
  void read_owners(const StrictTable& table, InstructionMemory& instructions) const;
  void read_code_constants(const StrictTable& table, InstructionMemory& instructions) const;
  void operations(const toml::table& node);
  Noise noise(const toml::table& node);
  ClockBehaviour clock(const toml::table& node);
  HeatBehaviour heat(const toml::table& node);
  Timer timer(const toml::table& node);
  UnitClock unit_clock(const toml::table& node);
  Fault fault(const toml::table& node);
  /// Names of caches and TLBs are unique, so that a key of [sources] is unambiguous.
  void claim_name(const StrictTable& table, const std::string& name);

  std::string where_;
  std::vector<Figure> figures_;
  std::vector<std::string> names_{"global", "texture", "constant", "scalar", "local", "atomics", "handover", "clock"};
  Model model_;
};

StrictTable ModelReader::open(const toml::table& node, std::string_view title, std::string_view prefix,
                              const std::vector<KnownKey>& keys) {
  StrictTable table(node, where_, title, keys);
  for (const KnownKey& key : keys) {
    if (key.figure && table.has(key.name))
      figures_.push_back({fmt::format("{}{}{}", prefix, prefix.empty() ? "" : ".", key.name), table.line(key.name)});
  }
  return table;
}

void ModelReader::claim_name(const StrictTable& table, const std::string& name) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    table.fail("name", fmt::format("the name '{}' is taken", name));
  names_.push_back(name);
}

Cache ModelReader::cache(const toml::table& node) {
  const StrictTable table = open(node, titled("cache", node, "name"), named(node, "name"),
                                 {{"name", kRequired},
                                  {"size_bytes", kRequired, kFigure},
                                  {"line_bytes", kRequired, kFigure},
                                  {"sector_bytes", !kRequired, kFigure},
                                  {"ways", kRequired, kFigure},
                                  {"index", !kRequired, kFigure},
                                  {"replacement", !kRequired, kFigure},
                                  {"scope", kRequired, kFigure},
                                  {"copies", !kRequired, kFigure},
                                  {"cluster_units", !kRequired, kFigure},
                                  {"bytes_per_cycle", !kRequired, kFigure},
                                  {"splits", !kRequired, kFigure}});
  Cache cache;
  table.read_text("name", cache.name);
  claim_name(table, cache.name);
  table.read_bytes("size_bytes", cache.size_bytes);
  table.read_bytes("line_bytes", cache.line_bytes);
  if (!std::has_single_bit(cache.line_bytes) || cache.line_bytes > 65536) {
    table.fail("line_bytes", "'line_bytes' must be a power of two up to 65536");
  }
  cache.sector_bytes = cache.line_bytes;
  table.read_bytes("sector_bytes", cache.sector_bytes);
  if (!std::has_single_bit(cache.sector_bytes) || cache.sector_bytes > cache.line_bytes) {
    table.fail("sector_bytes",
               fmt::format("'sector_bytes' must be a power of two that divides the line of {} B", cache.line_bytes));
  }
  if (cache.line_bytes / cache.sector_bytes > kMostSectors) {
    table.fail("sector_bytes",
               fmt::format("a line has at most {} sectors, not {}", kMostSectors, cache.line_bytes / cache.sector_bytes));
  }
  table.read_whole("ways", cache.ways, 1, 65536);
  const std::uint64_t set_bytes = cache.line_bytes * cache.ways;
  if (cache.size_bytes % set_bytes != 0) {
    table.fail("size_bytes", fmt::format("{} B are not a whole number of sets of {} ways of {} B", cache.size_bytes, cache.ways,
                                         cache.line_bytes));
  }
  table.read_choice<SetIndex>("index", cache.index, {{"modulo", SetIndex::modulo}, {"hashed", SetIndex::hashed}});
  if (cache.index == SetIndex::hashed && (cache.sets() < 2 || !std::has_single_bit(cache.sets()))) {
    table.fail("index", fmt::format("a hashed index needs a power of two of sets, at least 2, not {}", cache.sets()));
  }
  table.read_choice<Replacement>("replacement", cache.replacement,
                                 {{"lru", Replacement::lru},
                                  {"pseudo-lru", Replacement::pseudo_lru},
                                  {"random", Replacement::random},
                                  {"not-mru", Replacement::not_mru}});
  if (cache.replacement == Replacement::pseudo_lru && !std::has_single_bit(cache.ways)) {
    table.fail("replacement", fmt::format("pseudo-LRU needs a power of two of ways, not {}", cache.ways));
  }
  if (cache.replacement == Replacement::not_mru && cache.ways < 2) table.fail("replacement", "not-MRU needs at least 2 ways");
  table.read_choice<Scope>("scope", cache.scope, {{"unit", Scope::unit}, {"cluster", Scope::cluster}, {"device", Scope::device}});
  if (table.has("copies") && cache.scope != Scope::unit) table.fail("copies", "'copies' is for a cache of scope \"unit\" only");
  table.read_whole("copies", cache.copies, 1, 64);
  if (table.has("cluster_units") != (cache.scope == Scope::cluster)) {
    table.fail("cluster_units", "'cluster_units' goes with scope \"cluster\", and only with it");
  }
  table.read_whole("cluster_units", cache.cluster_units, 1, model_.units);
  table.read_number("bytes_per_cycle", cache.bytes_per_cycle, kPositive);
  if (!table.has("splits")) return cache;
  for (const toml::table* node_of_split : table.tables("splits")) {
    const StrictTable one = open(*node_of_split, fmt::format("split of cache '{}'", cache.name), "",
                                 {{"local_bytes", kRequired}, {"size_bytes", kRequired}});
    CacheSplit split;
    one.read_bytes("local_bytes", split.local_bytes);
    one.read_bytes("size_bytes", split.size_bytes);
    if (!cache.splits.empty() && split.local_bytes <= cache.splits.back().local_bytes)
      one.fail("local_bytes", "splits must ascend in 'local_bytes'");
    if (split.size_bytes % set_bytes != 0)
      one.fail("size_bytes", fmt::format("{} B are not a whole number of sets of {} B", split.size_bytes, set_bytes));
    if (cache.index == SetIndex::hashed && !std::has_single_bit(split.size_bytes / set_bytes))
      one.fail("size_bytes", "a hashed index needs a power of two of sets in every split");
    cache.splits.push_back(split);
  }
  return cache;
}

Hop ModelReader::hop(const toml::table& node, const std::string& path_name) {
  const std::string title = fmt::format("path '{}'", path_name);
  const StrictTable table = open(node, title, fmt::format("{}.{}", path_name, named(node, "cache")),
                                 {{"cache", kRequired},
                                  {"latency_cycles", kRequired, kFigure},
                                  {"near_bytes", !kRequired, kFigure},
                                  {"word_cycles", !kRequired, kFigure},
                                  {"far_latency_cycles", !kRequired, kFigure}});
  std::string name;
  table.read_text("cache", name);
  const auto cache =
      std::find_if(model_.caches.begin(), model_.caches.end(), [&](const Cache& known) { return known.name == name; });
  if (cache == model_.caches.end()) table.fail("cache", fmt::format("there is no cache '{}'", name));
  Hop hop;
  hop.cache = static_cast<std::size_t>(cache - model_.caches.begin());
  table.read_number("latency_cycles", hop.latency_cycles, kPositive);
  table.read_number("word_cycles", hop.word_cycles, kPositive);
  if (table.has("near_bytes") != table.has("far_latency_cycles")) {
    table.fail("", fmt::format("'near_bytes' and 'far_latency_cycles' of cache '{}' go together", name));
  }
  if (table.has("near_bytes")) {
    table.read_bytes("near_bytes", hop.near_bytes);
    if (hop.near_bytes >= cache->size_bytes || hop.near_bytes % (cache->line_bytes * cache->ways) != 0) {
      table.fail("near_bytes",
                 fmt::format("the near part of cache '{}' must be a whole number of its sets and smaller than it", name));
    }
    const std::uint64_t near_sets = hop.near_bytes / (cache->line_bytes * cache->ways);
    if (cache->index == SetIndex::hashed && (near_sets < 2 || !std::has_single_bit(near_sets))) {
      table.fail("near_bytes",
                 fmt::format("the near part of the hashed cache '{}' needs a power of two of sets, at least 2, not {}", name,
                             near_sets));
    }
    double far = 0;
    table.read_number("far_latency_cycles", far, kPositive);
    if (far <= hop.latency_cycles)
      table.fail("far_latency_cycles", fmt::format("the far part of cache '{}' must be slower than the near one", name));
    hop.far_latency_cycles = far;
  }
  return hop;
}

Path ModelReader::path(const toml::table& node) {
  const StrictTable table = open(node, titled("path", node, "path"), named(node, "path"),
                                 {{"path", kRequired}, {"hops", kRequired}, {"memory_latency_cycles", kRequired, kFigure}});
  Path path;
  table.read_choice<MemoryPath>("path", path.path,
                                {{"global", MemoryPath::global},
                                 {"texture", MemoryPath::texture},
                                 {"constant", MemoryPath::constant},
                                 {"scalar", MemoryPath::scalar}});
  if (model_.path(path.path) != nullptr) table.fail("path", "there is a path of this name already");
  double slowest = 0;
  for (const toml::table* hop_node : table.tables("hops")) {
    const Hop next = hop(*hop_node, named(node, "path"));
    const std::string& name = model_.caches[next.cache].name;
    const bool twice =
        std::any_of(path.hops.begin(), path.hops.end(), [&](const Hop& before) { return before.cache == next.cache; });
    if (twice) table.fail_at(hop_node->source().begin.line, fmt::format("it goes through cache '{}' twice", name));
    if (next.latency_cycles <= slowest) {
      table.fail_at(hop_node->source().begin.line, fmt::format("cache '{}' must be slower than the caches before it", name));
    }
    slowest = next.far_latency_cycles.value_or(next.latency_cycles);
    path.hops.push_back(next);
  }
  table.read_number("memory_latency_cycles", path.memory_latency_cycles, kPositive);
  if (path.memory_latency_cycles <= slowest)
    table.fail("memory_latency_cycles", "memory must be slower than every cache before it");
  return path;
}

TlbModel ModelReader::tlb(const toml::table& node) {
  const StrictTable table = open(node, titled("tlb", node, "name"), named(node, "name"),
                                 {{"name", kRequired},
                                  {"page_bytes", kRequired, kFigure},
                                  {"reach_bytes", kRequired, kFigure},
                                  {"penalty_cycles", kRequired, kFigure},
                                  {"per_units", !kRequired, kFigure}});
  TlbModel tlb;
  table.read_text("name", tlb.name);
  claim_name(table, tlb.name);
  table.read_bytes("page_bytes", tlb.page_bytes);
  if (!std::has_single_bit(tlb.page_bytes)) table.fail("page_bytes", "'page_bytes' must be a power of two");
  table.read_bytes("reach_bytes", tlb.reach_bytes);
  if (tlb.reach_bytes % tlb.page_bytes != 0) {
    table.fail("reach_bytes", fmt::format("{} B are not a whole number of pages of {} B", tlb.reach_bytes, tlb.page_bytes));
  }
  if (!model_.tlbs.empty() && tlb.reach_bytes <= model_.tlbs.back().reach_bytes) {
    table.fail("reach_bytes", fmt::format("it must reach further than '{}' before it", model_.tlbs.back().name));
  }
  table.read_number("penalty_cycles", tlb.penalty_cycles, kPositive);
  table.read_whole("per_units", tlb.per_units, 0, model_.units);
  return tlb;
}

LocalMemory ModelReader::local(const toml::table& node) {
  const StrictTable table = open(node, "local", "local",
                                 {{"bytes", kRequired, kFigure},
                                  {"latency_cycles", kRequired, kFigure},
                                  {"banks", !kRequired, kFigure},
                                  {"bank_bytes", !kRequired, kFigure},
                                  {"bytes_per_cycle", !kRequired, kFigure}});
  LocalMemory local;
  table.read_bytes("bytes", local.bytes);
  table.read_number("latency_cycles", local.latency_cycles, kPositive);
  table.read_whole("banks", local.banks, 1, 1024);
  table.read_whole("bank_bytes", local.bank_bytes, 1, 64);
  table.read_number("bytes_per_cycle", local.bytes_per_cycle, kPositive);
  return local;
}

Atomics ModelReader::atomics(const toml::table& node) {
  const StrictTable table = open(node, "atomics", "atomics",
                                 {{"local_cycles", kRequired, kFigure}, {"global_cycles", kRequired, kFigure}, {"throughput"}});
  Atomics atomics;
  table.read_numbers("local_cycles", atomics.local_cycles, kPositive);
  table.read_numbers("global_cycles", atomics.global_cycles, kPositive);
  for (const auto& [key, figures] : {std::pair{"local_cycles", atomics.local_cycles}, {"global_cycles", atomics.global_cycles}}) {
    if (figures.size() > 1 && figures.back() < figures[figures.size() - 2]) {
      table.fail(key, fmt::format("'{}' must not fall at its end: latencies of more contenders are extrapolated from it", key));
    }
  }
  if (const toml::table* throughput = table.table("throughput")) atomics.throughput = atomic_throughput(*throughput);
  return atomics;
}

HandoverCosts ModelReader::handover(const toml::table& node) {
  const StrictTable table = open(node, "handover", "handover",
                                 {{"local_cycles", kRequired, kFigure},
                                  {"unit_cycles", kRequired, kFigure},
                                  {"cluster_cycles", kRequired, kFigure},
                                  {"far_cycles", !kRequired, kFigure},
                                  {"clusters", !kRequired, kFigure}});
  HandoverCosts handover;
  table.read_number("local_cycles", handover.local_cycles, kPositive);
  table.read_number("unit_cycles", handover.unit_cycles, kPositive);
  table.read_number("cluster_cycles", handover.cluster_cycles, kPositive);
  table.read_number("far_cycles", handover.far_cycles, kPositive);
  table.read_whole("clusters", handover.clusters, 1, model_.units);
  if (model_.units % handover.clusters != 0)
    table.fail("clusters", fmt::format("'clusters' must divide the {} units", model_.units));
  if ((handover.clusters > 1) != (handover.far_cycles > 0))
    table.fail(handover.clusters > 1 ? "clusters" : "far_cycles", "'clusters' and 'far_cycles' go together");
  return handover;
}

AtomicRates ModelReader::atomic_throughput(const toml::table& node) {
  const StrictTable table = open(node, "atomics.throughput", "atomics.throughput",
                                 {{"local_word", kRequired, kFigure},
                                  {"local_unit", kRequired, kFigure},
                                  {"global_word", kRequired, kFigure},
                                  {"global_line", kRequired, kFigure},
                                  {"global_unit", kRequired, kFigure},
                                  {"global_device", kRequired, kFigure}});
  AtomicRates throughput;
  table.read_number("local_word", throughput.local_word, kPositive);
  table.read_number("local_unit", throughput.local_unit, kPositive);
  table.read_number("global_word", throughput.global_word, kPositive);
  table.read_number("global_line", throughput.global_line, kPositive);
  table.read_number("global_unit", throughput.global_unit, kPositive);
  table.read_number("global_device", throughput.global_device, kPositive);
  return throughput;
}

UnitCapacity ModelReader::residency(const toml::table& node) {
  const StrictTable table = open(node, "residency", "residency",
                                 {{"subgroups", kRequired, kFigure},
                                  {"groups", kRequired, kFigure},
                                  {"registers", kRequired, kFigure},
                                  {"register_step", !kRequired, kFigure},
                                  {"local_bytes", kRequired, kFigure},
                                  {"local_step", !kRequired, kFigure},
                                  {"local_overhead", !kRequired, kFigure}});
  UnitCapacity residency;
  table.read_whole("subgroups", residency.subgroups, 1, 65536);
  table.read_whole("groups", residency.groups, 1, 65536);
  table.read_whole("registers", residency.registers, 1, INT32_MAX);
  table.read_whole("register_step", residency.register_step, 1, 256);
  table.read_bytes("local_bytes", residency.local_bytes);
  table.read_bytes("local_step", residency.local_step);
  table.read_bytes("local_overhead", residency.local_overhead);
  if (residency.local_bytes < model_.local.bytes)
    table.fail("local_bytes", "a unit cannot have less local memory than one of its work-groups (table [local])");
  return residency;
}

ChipLayout ModelReader::chip(const toml::table& node) {
  const StrictTable table = open(node, "chip", "chip",
                                 {{"slices", kRequired, kFigure},
                                  {"units_together", !kRequired, kFigure},
                                  {"partitions", !kRequired, kFigure},
                                  {"near_cycles", kRequired, kFigure},
                                  {"step_cycles", kRequired, kFigure},
                                  {"far_cycles", !kRequired, kFigure},
                                  {"seed"}});
  ChipLayout chip;
  table.read_whole("slices", chip.slices, 1, 4096);
  table.read_whole("units_together", chip.units_together, 1, model_.units);
  table.read_whole("partitions", chip.partitions, 1, 16);
  table.read_number("near_cycles", chip.near_cycles, kPositive);
  table.read_number("step_cycles", chip.step_cycles, kPositive);
  table.read_number("far_cycles", chip.far_cycles, kPositive);
  table.read_whole("seed", chip.seed, 0, INT64_MAX);
  if ((chip.partitions > 1) != (chip.far_cycles > 0))
    table.fail(chip.partitions > 1 ? "partitions" : "far_cycles", "'partitions' and 'far_cycles' go together");
  return chip;
}

InstructionMemory ModelReader::instructions(const toml::table& node) {
  const StrictTable table = open(node, "instructions", "instructions",
                                 {{"bytes", kRequired, kFigure},
                                  {"caches", kRequired, kFigure},
                                  {"cycles", kRequired, kFigure},
                                  {"owners", !kRequired, kFigure},
                                  {"constants", !kRequired, kFigure},
                                  {"memory_cycles", kRequired, kFigure}});
  InstructionMemory instructions;
  table.read_whole("bytes", instructions.bytes, 1, 64);
  std::vector<double> cycles;
  table.read_numbers("cycles", cycles, kPositive);
  for (const toml::table* cache : table.tables("caches")) {
    const StrictTable one = open(*cache, "instruction cache", "", {{"size_bytes", kRequired}});
    InstructionCache made;
    one.read_bytes("size_bytes", made.size_bytes);
    if (!instructions.caches.empty() && made.size_bytes <= instructions.caches.back().size_bytes)
      one.fail("size_bytes", "instruction caches must ascend in size");
    if (instructions.caches.size() < cycles.size()) made.cycles = cycles[instructions.caches.size()];
    instructions.caches.push_back(made);
  }
  if (cycles.size() != instructions.caches.size()) table.fail("cycles", "'cycles' needs one number for each cache");
  table.read_number("memory_cycles", instructions.memory_cycles, kPositive);
  if (table.has("owners")) read_owners(table, instructions);
  if (table.has("constants")) read_code_constants(table, instructions);
  return instructions;
}

void ModelReader::read_owners(const StrictTable& table, InstructionMemory& instructions) const {
  static constexpr std::array<std::pair<std::string_view, CodeOwner>, 4> kOwners{{{"scheduler", CodeOwner::scheduler},
                                                                                  {"unit", CodeOwner::unit},
                                                                                  {"neighbours", CodeOwner::neighbours},
                                                                                  {"device", CodeOwner::device}}};
  const auto owners = table.texts("owners");
  if (owners.size() != instructions.caches.size()) table.fail("owners", "'owners' needs one word for each cache");
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const auto found = std::find_if(kOwners.begin(), kOwners.end(), [&](const auto& known) { return known.first == owners[i]; });
    if (found == kOwners.end())
      table.fail("owners", fmt::format("'{}' is not one of: scheduler, unit, neighbours, device", owners[i]));
    if (found->second == CodeOwner::scheduler && model_.schedulers == 0) table.fail("owners", "'scheduler' needs 'schedulers'");
    instructions.caches[i].owner = found->second;
  }
}

void ModelReader::read_code_constants(const StrictTable& table, InstructionMemory& instructions) const {
  const auto names = table.texts("constants");
  if (names.size() != instructions.caches.size())
    table.fail("constants", "'constants' needs one cache, or 'none', for each cache");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "none") continue;
    const auto cache =
        std::find_if(model_.caches.begin(), model_.caches.end(), [&](const Cache& known) { return known.name == names[i]; });
    if (cache == model_.caches.end()) table.fail("constants", fmt::format("there is no cache '{}'", names[i]));
    if (cache->size_bytes != instructions.caches[i].size_bytes)
      table.fail("constants", fmt::format("the cache '{}' has another size than that of instructions", names[i]));
    instructions.caches[i].constants = static_cast<std::size_t>(cache - model_.caches.begin());
  }
}

/// Figures of operations from one source.
void ModelReader::operations(const toml::table& node) {
  const StrictTable table = open(node, "operations", "", {{"source", kRequired}, {"cycles"}, {"results"}});
  table.text("source");
  if (!table.has("cycles") && !table.has("results")) table.fail("", "there are neither 'cycles' nor 'results'");
  if (table.has("results") && model_.schedulers == 0) table.fail("results", "'results' need 'schedulers'");
  for (const auto& [kind, figures] : {std::pair{"cycles", &model_.operation_cycles}, {"results", &model_.operation_results}}) {
    if (!table.has(kind)) continue;
    for (const auto& [key, value] : *table.table(kind)) {
      const std::string name(key.str());
      const std::uint32_t line = value.source().begin.line;
      if (find_stream_operation(name) == nullptr) table.fail_at(line, fmt::format("there is no operation '{}'", name));
      const auto figure = value.value<double>();
      if (!figure || *figure <= 0) table.fail_at(line, fmt::format("the {} of '{}' must be a number above 0", kind, name));
      if (!figures->try_emplace(name, *figure).second)
        table.fail_at(line, fmt::format("the {} of '{}' are given already", kind, name));
    }
  }
}

Noise ModelReader::noise(const toml::table& node) {
  const StrictTable table = open(node, "noise", "", {{"gaussian"}, {"outlier_share"}, {"outlier_factor"}, {"seed"}});
  Noise noise;
  table.read_number("gaussian", noise.gaussian, kShare);
  table.read_number("outlier_share", noise.outlier_share, kShare);
  table.read_number("outlier_factor", noise.outlier_factor, kFromOne);
  table.read_whole("seed", noise.seed, 0, INT64_MAX);
  return noise;
}

ClockBehaviour ModelReader::clock(const toml::table& node) {
  const StrictTable table = open(node, "clock", "clock",
                                 {{"mhz", kRequired, kFigure},
                                  {"idle_mhz"},
                                  {"ramp_ms"},
                                  {"throttled_mhz"},
                                  {"throttle_after_ms"},
                                  {"throttle_constant_ms"}});
  ClockBehaviour clock;
  table.read_number("mhz", clock.mhz, kMegahertz);
  table.read_number("idle_mhz", clock.idle_mhz, kMegahertz);
  table.read_number("ramp_ms", clock.ramp_ms, kPositive);
  table.read_number("throttled_mhz", clock.throttled_mhz, kMegahertz);
  table.read_number("throttle_after_ms", clock.throttle_after_ms, kPositive);
  table.read_number("throttle_constant_ms", clock.throttle_constant_ms, kPositive);
  if (table.has("idle_mhz") != table.has("ramp_ms")) table.fail("", "'idle_mhz' and 'ramp_ms' go together");
  if (table.has("throttled_mhz") != table.has("throttle_after_ms")) {
    table.fail("", "'throttled_mhz' and 'throttle_after_ms' go together");
  }
  if (table.has("throttle_constant_ms") && !table.has("throttled_mhz"))
    table.fail("throttle_constant_ms", "'throttle_constant_ms' needs 'throttled_mhz'");
  if (clock.idle_mhz >= clock.mhz) table.fail("idle_mhz", "'idle_mhz' must be below 'mhz'");
  if (clock.throttled_mhz >= clock.mhz) table.fail("throttled_mhz", "'throttled_mhz' must be below 'mhz'");
  return clock;
}

HeatBehaviour ModelReader::heat(const toml::table& node) {
  const StrictTable table = open(
      node, "heat", "",
      {{"idle_w", kRequired}, {"load_w", kRequired}, {"idle_c", kRequired}, {"load_c", kRequired}, {"constant_ms", kRequired}});
  HeatBehaviour heat;
  table.read_number("idle_w", heat.idle_w, kPositive);
  table.read_number("load_w", heat.load_w, kPositive);
  table.read_number("idle_c", heat.idle_c, kPositive);
  table.read_number("load_c", heat.load_c, kPositive);
  table.read_number("constant_ms", heat.constant_ms, kPositive);
  if (heat.idle_w >= heat.load_w) table.fail("idle_w", "'idle_w' must be below 'load_w'");
  if (heat.idle_c >= heat.load_c) table.fail("idle_c", "'idle_c' must be below 'load_c'");
  return heat;
}

Timer ModelReader::timer(const toml::table& node) {
  const StrictTable table = open(node, "timer", "", {{"resolution_ns"}, {"launch_ns"}, {"host_overhead_ns"}, {"device"}});
  Timer timer;
  table.read_number("resolution_ns", timer.resolution_ns, kPositive);
  table.read_number("launch_ns", timer.launch_ns, kNotNegative);
  table.read_number("host_overhead_ns", timer.host_overhead_ns, kNotNegative);
  table.read_flag("device", timer.device);
  return timer;
}

UnitClock ModelReader::unit_clock(const toml::table& node) {
  const StrictTable table = open(node, "unit_clock", "", {{"overhead_cycles"}, {"tick_mhz"}});
  UnitClock clock;
  table.read_number("overhead_cycles", clock.overhead_cycles, kNotNegative);
  table.read_number("tick_mhz", clock.tick_mhz, kMegahertz);
  return clock;
}

Fault ModelReader::fault(const toml::table& node) {
  const StrictTable table = open(node, titled("fault", node, "kind"), "", {{"kind", kRequired}, {"at", kRequired}});
  Fault fault;
  table.read_choice<Fault::Effect>("kind", fault.kind,
                                   {{"build-failure", Fault::Effect::build_failure},
                                    {"out-of-memory", Fault::Effect::out_of_memory},
                                    {"lost", Fault::Effect::lost},
                                    {"timer-backwards", Fault::Effect::timer_backwards},
                                    {"wrong-result", Fault::Effect::wrong_result}});
  if (fault.kind == Fault::Effect::out_of_memory) {
    table.read_bytes("at", fault.at);
  } else {
    table.read_whole("at", fault.at, 1, INT64_MAX);
  }
  const bool taken =
      std::any_of(model_.faults.begin(), model_.faults.end(), [&](const Fault& other) { return other.kind == fault.kind; });
  if (taken) table.fail("kind", "there is a fault of this kind already");
  if (fault.kind == Fault::Effect::timer_backwards && !model_.timer.device) {
    table.fail("kind", "there is no device timer to jump back: 'timer.device' is false");
  }
  return fault;
}

Model ModelReader::read(const toml::table& file) {
  const StrictTable table = open(file, "", "",
                                 {{"name", kRequired},
                                  {"vendor", kRequired},
                                  {"type"},
                                  {"compute_capability"},
                                  {"units", kRequired, kFigure},
                                  {"subgroup_size", kRequired, kFigure},
                                  {"memory_bytes", kRequired, kFigure},
                                  {"max_group_size"},
                                  {"constant_bytes"},
                                  {"constant_buffers"},
                                  {"max_texel_elements"},
                                  {"cycles_per_operation", !kRequired, kFigure},
                                  {"schedulers", !kRequired, kFigure},
                                  {"tlb_before_caches", !kRequired, kFigure},
                                  {"memory_bytes_per_cycle", !kRequired, kFigure},
                                  {"cache", kRequired},
                                  {"path", kRequired},
                                  {"tlb"},
                                  {"local", kRequired},
                                  {"atomics"},
                                  {"handover"},
                                  {"residency"},
                                  {"chip"},
                                  {"instructions"},
                                  {"operations"},
                                  {"noise"},
                                  {"clock", kRequired},
                                  {"heat"},
                                  {"timer"},
                                  {"unit_clock"},
                                  {"fault"},
                                  {"sources"},
                                  {"assumed"}});
  table.read_text("name", model_.name);
  table.read_text("vendor", model_.vendor);
  table.read_choice<DeviceType>("type", model_.type,
                                {{"gpu", DeviceType::gpu}, {"cpu", DeviceType::cpu}, {"other", DeviceType::other}});
  table.read_text("compute_capability", model_.compute_capability);
  table.read_whole("units", model_.units, 1, 65536);
  table.read_whole("subgroup_size", model_.subgroup_size, 1, 128);
  if (!std::has_single_bit(model_.subgroup_size)) table.fail("subgroup_size", "'subgroup_size' must be a power of two");
  table.read_bytes("memory_bytes", model_.memory_bytes);
  table.read_whole("max_group_size", model_.max_group_size, model_.subgroup_size, 65536);
  table.read_bytes("constant_bytes", model_.constant_bytes);
  table.read_whole("constant_buffers", model_.constant_buffers, 1, 1024);
  table.read_whole("max_texel_elements", model_.max_texel_elements, 1, INT64_MAX);
  table.read_number("cycles_per_operation", model_.cycles_per_operation, kPositive);
  table.read_whole("schedulers", model_.schedulers, 1, 64);
  table.read_flag("tlb_before_caches", model_.tlb_before_caches);
  table.read_number("memory_bytes_per_cycle", model_.memory_bytes_per_cycle, kPositive);

  for (const toml::table* node : table.tables("cache")) model_.caches.push_back(cache(*node));
  for (const toml::table* node : table.tables("path")) model_.paths.push_back(path(*node));
  if (model_.path(MemoryPath::global) == nullptr) table.fail("path", "there is no path 'global'");
  for (std::size_t i = 0; i < model_.caches.size(); ++i) {
    const bool used = std::any_of(model_.paths.begin(), model_.paths.end(), [&](const Path& path) {
      return std::any_of(path.hops.begin(), path.hops.end(), [&](const Hop& hop) { return hop.cache == i; });
    });
    if (!used)
      table.fail_at(table.tables("cache")[i]->source().begin.line,
                    fmt::format("no path goes through cache '{}'", model_.caches[i].name));
  }
  for (const toml::table* node : table.tables("tlb")) model_.tlbs.push_back(tlb(*node));
  model_.local = local(*table.table("local"));
  if (const toml::table* node = table.table("atomics")) model_.atomics = atomics(*node);
  if (const toml::table* node = table.table("handover")) model_.handover = handover(*node);
  if (const toml::table* node = table.table("instructions")) model_.instructions = instructions(*node);
  if (const toml::table* node = table.table("residency")) model_.residency = residency(*node);
  if (const toml::table* node = table.table("chip")) model_.chip = chip(*node);
  for (const toml::table* node : table.tables("operations")) operations(*node);
  model_.clock = clock(*table.table("clock"));
  if (const toml::table* node = table.table("heat")) model_.heat = heat(*node);
  if (const toml::table* node = table.table("noise")) model_.noise = noise(*node);
  if (const toml::table* node = table.table("timer")) model_.timer = timer(*node);
  if (const toml::table* node = table.table("unit_clock")) model_.unit_clock = unit_clock(*node);
  for (const toml::table* node : table.tables("fault")) model_.faults.push_back(fault(*node));
  std::sort(figures_.begin(), figures_.end(), [](const Figure& a, const Figure& b) { return a.line < b.line; });
  check_sources(table, figures_);
  return std::move(model_);
}

}  // namespace

Model parse_model(std::string_view text, const std::string& where) {
  const toml::table file = parse_toml(text, where);
  Model model = ModelReader(where).read(file);
  model.text_hash = hex64(fnv1a(text));
  return model;
}

}  // namespace percycle::sim
