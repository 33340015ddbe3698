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
#include "sim/effect_rules.hpp"
#include "sim/model.hpp"
#include "sim/model_sources.hpp"
#include "toml/strict_table.hpp"

namespace percycle::sim {
namespace {

constexpr NumberRange kPositive{"a number above 0", [](double value) { return value > 0; }};
constexpr NumberRange kMegahertz{"a number from 1 to 100000", [](double value) { return value >= 1 && value <= 100000; }};
constexpr NumberRange kNotNegative{"a number from 0 on", [](double value) { return value >= 0; }};
constexpr NumberRange kFromOne{"a number from 1 on", [](double value) { return value >= 1; }};
constexpr NumberRange kShare{"a number from 0 to below 1", [](double value) { return value >= 0 && value < 1; }};

// The keys of a table. A figure needs a source.
KnownKey figure(std::string_view name, KeyReader read = {}) { return {name, true, true, std::move(read)}; }
KnownKey optional_figure(std::string_view name, KeyReader read = {}) { return {name, false, true, std::move(read)}; }
KnownKey required(std::string_view name, KeyReader read = {}) { return {name, true, false, std::move(read)}; }
KnownKey optional(std::string_view name, KeyReader read = {}) { return {name, false, false, std::move(read)}; }

/// "cache 'L1'", or "cache" if it has no name yet.
std::string titled(std::string_view kind, const toml::table& table, std::string_view name_key) {
  const auto name = table[name_key].value_exact<std::string>();
  return name ? fmt::format("{} '{}'", kind, *name) : std::string(kind);
}

/// The prefix of the keys of a table's figures.
std::string named(const toml::table& table, std::string_view name_key) { return table[name_key].value_or(std::string()); }

bool is_whole_sets(const Cache& cache, std::uint64_t bytes) { return bytes % (cache.line_bytes * cache.ways) == 0; }

/// Reads the parts of one file; `figures` collects the keys that need a source.
class ModelReader {
 public:
  explicit ModelReader(std::string where) : where_(std::move(where)) {}

  Model read(const toml::table& file) {
    // Later tables refer to earlier ones.
    const StrictTable table = open(
        file, "", "",
        {required("name", read_text(model_.name)),
         required("vendor", read_text(model_.vendor)),
         optional("type", read_choice<DeviceType>(
                              model_.type, {{"gpu", DeviceType::gpu}, {"cpu", DeviceType::cpu}, {"other", DeviceType::other}})),
         optional("compute_capability", read_text(model_.compute_capability)),
         figure("units", read_whole(model_.units, 1, 65536)),
         optional_figure("reported_units", read_whole(model_.reported_units, 1, 65536)),
         figure("subgroup_size", read_whole(model_.subgroup_size, 1, 128)),
         figure("memory_bytes", read_bytes(model_.memory_bytes)),
         optional("max_group_size",
                  [&](const StrictTable& of, std::string_view key) {
                    read_whole(model_.max_group_size, model_.subgroup_size, 65536)(of, key);
                  }),
         optional("constant_bytes", read_bytes(model_.constant_bytes)),
         optional("constant_buffers", read_whole(model_.constant_buffers, 1, 1024)),
         optional("max_texel_elements", read_whole(model_.max_texel_elements, 1, INT64_MAX)),
         optional_figure("cycles_per_operation", read_number(model_.cycles_per_operation, kPositive)),
         optional_figure("schedulers", read_whole(model_.schedulers, 1, 64)),
         optional_figure("tlb_before_caches", read_flag(model_.tlb_before_caches)),
         optional_figure("memory_bytes_per_cycle", read_number(model_.memory_bytes_per_cycle, kPositive)),
         optional("pages", one(model_.pages, &ModelReader::pages)),
         optional("dram", one(model_.dram, &ModelReader::dram)),
         required("cache", each(model_.caches, &ModelReader::cache)),
         required("path", each(model_.paths, &ModelReader::path)),
         optional("tlb", each(model_.tlbs, &ModelReader::tlb)),
         required("local", one(model_.local, &ModelReader::local)),
         optional("atomics", one(model_.atomics, &ModelReader::atomics)),
         optional("handover", one(model_.handover, &ModelReader::handover)),
         optional("instructions", one(model_.instructions, &ModelReader::instructions)),
         optional("residency", one(model_.residency, &ModelReader::residency)),
         optional("chip", one(model_.chip, &ModelReader::chip)),
         optional("operations"),
         required("clock", one(model_.clock, &ModelReader::clock)),
         optional("heat", one(model_.heat, &ModelReader::heat)),
         optional("noise", one(model_.noise, &ModelReader::noise)),
         optional("timer", one(model_.timer, &ModelReader::timer)),
         optional("unit_clock", one(model_.unit_clock, &ModelReader::unit_clock)),
         optional("fault", each(model_.faults, &ModelReader::fault)),
         optional("sources"),
         optional("assumed")});
    if (!std::has_single_bit(model_.subgroup_size)) table.fail("subgroup_size", "'subgroup_size' must be a power of two");
    check_paths(table);
    for (const toml::table* node : table.tables("operations")) operations(*node);
    std::sort(figures_.begin(), figures_.end(), [](const ModelFigure& a, const ModelFigure& b) { return a.line < b.line; });
    check_sources(table, figures_);
    return std::move(model_);
  }

 private:
  /// Names its figures PREFIX.KEY.
  StrictTable open(const toml::table& node, std::string_view title, std::string_view prefix, const std::vector<KnownKey>& keys) {
    StrictTable table(node, where_, title, keys);
    for (const KnownKey& key : keys) {
      if (key.figure && table.has(key.name))
        figures_.push_back({fmt::format("{}{}{}", prefix, prefix.empty() ? "" : ".", key.name), table.line(key.name)});
    }
    return table;
  }

  /// The table of a key.
  template <typename Target, typename T>
  KeyReader one(Target& target, T (ModelReader::*part)(const toml::table&)) {
    return [this, &target, part](const StrictTable& table, std::string_view key) { target = (this->*part)(*table.table(key)); };
  }

  /// The list of tables of a key.
  template <typename T>
  KeyReader each(std::vector<T>& target, T (ModelReader::*part)(const toml::table&)) {
    return [this, &target, part](const StrictTable& table, std::string_view key) {
      for (const toml::table* node : table.tables(key)) target.push_back((this->*part)(*node));
    };
  }

  /// A name of a cache or TLB. They are unique, so that a key of [sources] is unambiguous.
  KeyReader new_name(std::string& target) {
    return [this, &target](const StrictTable& table, std::string_view key) {
      target = table.text(key);
      if (std::find(names_.begin(), names_.end(), target) != names_.end())
        table.fail(key, fmt::format("the name '{}' is taken", target));
      names_.push_back(target);
    };
  }

  Cache cache(const toml::table& node) {
    Cache cache;
    const StrictTable table = open(
        node, titled("cache", node, "name"), named(node, "name"),
        {required("name", new_name(cache.name)), figure("size_bytes", read_bytes(cache.size_bytes)),
         figure("line_bytes", read_bytes(cache.line_bytes)), optional_figure("sector_bytes", read_bytes(cache.sector_bytes)),
         figure("ways", read_whole(cache.ways, 1, 65536)),
         optional_figure("index",
                         read_choice<SetIndex>(cache.index, {{"modulo", SetIndex::modulo}, {"hashed", SetIndex::hashed}})),
         optional_figure("replacement", read_choice<Replacement>(cache.replacement, {{"lru", Replacement::lru},
                                                                                     {"pseudo-lru", Replacement::pseudo_lru},
                                                                                     {"random", Replacement::random},
                                                                                     {"not-mru", Replacement::not_mru}})),
         figure("scope",
                read_choice<Scope>(cache.scope, {{"unit", Scope::unit}, {"cluster", Scope::cluster}, {"device", Scope::device}})),
         optional_figure("copies", read_whole(cache.copies, 1, 64)),
         optional_figure("cluster_units", read_whole(cache.cluster_units, 1, model_.units)),
         optional_figure("bytes_per_cycle", read_number(cache.bytes_per_cycle, kPositive)), optional_figure("splits"),
         optional_figure("physical", read_flag(cache.physical)),
         optional_figure("inclusion", read_choice<Inclusion>(cache.inclusion, {{"independent", Inclusion::independent},
                                                                               {"exclusive", Inclusion::exclusive},
                                                                               {"inclusive", Inclusion::inclusive}})),
         optional_figure("prefetch", read_choice<Prefetch>(
                                         cache.prefetch,
                                         {{"none", Prefetch::none}, {"next", Prefetch::next}, {"adjacent", Prefetch::adjacent}})),
         optional_figure("slices", read_whole(cache.slices, 1, 4096)),
         optional_figure("foreign_share", read_number(cache.foreign_share, kShare))});
    if (!table.has("sector_bytes")) cache.sector_bytes = cache.line_bytes;
    if (!std::has_single_bit(cache.line_bytes) || cache.line_bytes > 65536)
      table.fail("line_bytes", "'line_bytes' must be a power of two up to 65536");
    if (!std::has_single_bit(cache.sector_bytes) || cache.sector_bytes > cache.line_bytes) {
      table.fail("sector_bytes",
                 fmt::format("'sector_bytes' must be a power of two that divides the line of {} B", cache.line_bytes));
    }
    if (cache.line_bytes / cache.sector_bytes > kMostSectors) {
      table.fail("sector_bytes",
                 fmt::format("a line has at most {} sectors, not {}", kMostSectors, cache.line_bytes / cache.sector_bytes));
    }
    if (!is_whole_sets(cache, cache.size_bytes)) {
      table.fail("size_bytes", fmt::format("{} B are not a whole number of sets of {} ways of {} B", cache.size_bytes, cache.ways,
                                           cache.line_bytes));
    }
    if (cache.sets() % cache.slices != 0)
      table.fail("slices", fmt::format("{} sets cannot be divided among {} slices", cache.sets(), cache.slices));
    const std::uint64_t sets = cache.sets() / cache.slices;
    if (cache.index == SetIndex::hashed && (sets < 2 || !std::has_single_bit(sets)))
      table.fail("index", fmt::format("a hashed index needs a power of two of sets, at least 2, not {}", sets));
    if (cache.replacement == Replacement::pseudo_lru && !std::has_single_bit(cache.ways))
      table.fail("replacement", fmt::format("pseudo-LRU needs a power of two of ways, not {}", cache.ways));
    if (cache.replacement == Replacement::not_mru && cache.ways < 2) table.fail("replacement", "not-MRU needs at least 2 ways");
    if (table.has("copies") && cache.scope != Scope::unit) table.fail("copies", "'copies' is for a cache of scope \"unit\" only");
    if (table.has("cluster_units") != (cache.scope == Scope::cluster))
      table.fail("cluster_units", "'cluster_units' goes with scope \"cluster\", and only with it");
    read_splits(table, cache);
    check_effects(table, cache, model_.pages);
    return cache;
  }

  void read_splits(const StrictTable& table, Cache& cache) {
    for (const toml::table* node : table.tables("splits")) {
      CacheSplit split;
      const StrictTable one =
          open(*node, fmt::format("split of cache '{}'", cache.name), "",
               {required("local_bytes", read_bytes(split.local_bytes)), required("size_bytes", read_bytes(split.size_bytes))});
      if (!cache.splits.empty() && split.local_bytes <= cache.splits.back().local_bytes)
        one.fail("local_bytes", "splits must ascend in 'local_bytes'");
      const std::uint64_t set_bytes = cache.line_bytes * cache.ways;
      if (!is_whole_sets(cache, split.size_bytes))
        one.fail("size_bytes", fmt::format("{} B are not a whole number of sets of {} B", split.size_bytes, set_bytes));
      if (split.size_bytes / set_bytes % cache.slices != 0)
        one.fail("size_bytes", fmt::format("its sets cannot be divided among {} slices", cache.slices));
      if (cache.index == SetIndex::hashed && !std::has_single_bit(split.size_bytes / set_bytes / cache.slices))
        one.fail("size_bytes", "a hashed index needs a power of two of sets in every split");
      cache.splits.push_back(split);
    }
  }

  Path path(const toml::table& node) {
    Path path;
    const StrictTable table =
        open(node, titled("path", node, "path"), named(node, "path"),
             {required("path", read_choice<MemoryPath>(path.path, {{"global", MemoryPath::global},
                                                                   {"texture", MemoryPath::texture},
                                                                   {"constant", MemoryPath::constant},
                                                                   {"scalar", MemoryPath::scalar}})),
              required("hops"), figure("memory_latency_cycles", read_number(path.memory_latency_cycles, kPositive))});
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
      slowest = std::max(next.far_latency_cycles.value_or(next.latency_cycles), next.far_lines_cycles.value_or(0));
      path.hops.push_back(next);
      check_order(table, hop_node->source().begin.line, model_.caches, path.hops);
    }
    if (path.memory_latency_cycles <= slowest)
      table.fail("memory_latency_cycles", "memory must be slower than every cache before it");
    return path;
  }

  Hop hop(const toml::table& node, const std::string& path_name) {
    Hop hop;
    std::string name;
    double far = 0;
    const StrictTable table =
        open(node, fmt::format("path '{}'", path_name), fmt::format("{}.{}", path_name, named(node, "cache")),
             {required("cache", read_text(name)), figure("latency_cycles", read_number(hop.latency_cycles, kPositive)),
              optional_figure("near_bytes", read_bytes(hop.near_bytes)),
              optional_figure("word_cycles", read_number(hop.word_cycles, kPositive)),
              optional_figure("far_latency_cycles", read_number(far, kPositive)),
              optional_figure("far_lines_cycles", [&](const StrictTable& of, std::string_view key) {
                read_number(hop.far_lines_cycles.emplace(), kPositive)(of, key);
              })});
    const auto cache =
        std::find_if(model_.caches.begin(), model_.caches.end(), [&](const Cache& known) { return known.name == name; });
    if (cache == model_.caches.end()) table.fail("cache", fmt::format("there is no cache '{}'", name));
    hop.cache = static_cast<std::size_t>(cache - model_.caches.begin());
    check_hop(table, *cache, hop, table.has("near_bytes"));
    if (table.has("near_bytes") != table.has("far_latency_cycles"))
      table.fail("", fmt::format("'near_bytes' and 'far_latency_cycles' of cache '{}' go together", name));
    if (!table.has("near_bytes")) return hop;
    if (hop.near_bytes >= cache->size_bytes || !is_whole_sets(*cache, hop.near_bytes)) {
      table.fail("near_bytes",
                 fmt::format("the near part of cache '{}' must be a whole number of its sets and smaller than it", name));
    }
    const std::uint64_t near_sets = hop.near_bytes / (cache->line_bytes * cache->ways);
    if (cache->index == SetIndex::hashed && (near_sets < 2 || !std::has_single_bit(near_sets))) {
      table.fail("near_bytes",
                 fmt::format("the near part of the hashed cache '{}' needs a power of two of sets, at least 2, not {}", name,
                             near_sets));
    }
    if (far <= hop.latency_cycles)
      table.fail("far_latency_cycles", fmt::format("the far part of cache '{}' must be slower than the near one", name));
    hop.far_latency_cycles = far;
    return hop;
  }

  TlbModel tlb(const toml::table& node) {
    TlbModel tlb;
    const StrictTable table = open(
        node, titled("tlb", node, "name"), named(node, "name"),
        {required("name", new_name(tlb.name)), figure("page_bytes", read_bytes(tlb.page_bytes)),
         figure("reach_bytes", read_bytes(tlb.reach_bytes)), figure("penalty_cycles", read_number(tlb.penalty_cycles, kPositive)),
         optional_figure("per_units", read_whole(tlb.per_units, 0, model_.units)),
         optional_figure("ways", read_whole(tlb.ways, 1, 65536))});
    if (!std::has_single_bit(tlb.page_bytes)) table.fail("page_bytes", "'page_bytes' must be a power of two");
    if (tlb.reach_bytes % tlb.page_bytes != 0) {
      table.fail("reach_bytes", fmt::format("{} B are not a whole number of pages of {} B", tlb.reach_bytes, tlb.page_bytes));
    }
    if (const std::uint64_t entries = tlb.reach_bytes / tlb.page_bytes; tlb.ways > 0 && entries % tlb.ways != 0)
      table.fail("ways", fmt::format("{} entries are not a whole number of sets of {} ways", entries, tlb.ways));
    if (!model_.tlbs.empty() && tlb.reach_bytes <= model_.tlbs.back().reach_bytes) {
      table.fail("reach_bytes", fmt::format("it must reach further than '{}' before it", model_.tlbs.back().name));
    }
    return tlb;
  }

  PagePlacement pages(const toml::table& node) {
    PagePlacement pages;
    const StrictTable table =
        open(node, "pages", "pages",
             {figure("page_bytes", read_bytes(pages.page_bytes)), optional("seed", read_whole(pages.seed, 0, INT64_MAX))});
    check_pages(table, pages, model_.memory_bytes);
    return pages;
  }

  DramRows dram(const toml::table& node) {
    DramRows dram;
    open(node, "dram", "dram",
         {figure("row_bytes", read_bytes(dram.row_bytes)), figure("banks", read_whole(dram.banks, 1, 65536)),
          figure("row_cycles", read_number(dram.row_cycles, kPositive))});
    return dram;
  }

  LocalMemory local(const toml::table& node) {
    LocalMemory local;
    open(node, "local", "local",
         {figure("bytes", read_bytes(local.bytes)), figure("latency_cycles", read_number(local.latency_cycles, kPositive)),
          optional_figure("banks", read_whole(local.banks, 1, 1024)),
          optional_figure("bank_bytes", read_whole(local.bank_bytes, 1, 64)),
          optional_figure("bytes_per_cycle", read_number(local.bytes_per_cycle, kPositive))});
    return local;
  }

  Atomics atomics(const toml::table& node) {
    Atomics atomics;
    const StrictTable table = open(node, "atomics", "atomics",
                                   {figure("local_cycles", read_numbers(atomics.local_cycles, kPositive)),
                                    figure("global_cycles", read_numbers(atomics.global_cycles, kPositive)),
                                    optional("throughput", one(atomics.throughput, &ModelReader::atomic_throughput))});
    for (const auto& [key, figures] :
         {std::pair{"local_cycles", atomics.local_cycles}, {"global_cycles", atomics.global_cycles}}) {
      if (figures.size() > 1 && figures.back() < figures[figures.size() - 2]) {
        table.fail(key, fmt::format("'{}' must not fall at its end: latencies of more contenders are extrapolated from it", key));
      }
    }
    return atomics;
  }

  HandoverCosts handover(const toml::table& node) {
    HandoverCosts handover;
    const StrictTable table = open(node, "handover", "handover",
                                   {figure("local_cycles", read_number(handover.local_cycles, kPositive)),
                                    figure("unit_cycles", read_number(handover.unit_cycles, kPositive)),
                                    figure("cluster_cycles", read_number(handover.cluster_cycles, kPositive)),
                                    optional_figure("far_cycles", read_number(handover.far_cycles, kPositive)),
                                    optional_figure("clusters", read_whole(handover.clusters, 1, model_.units))});
    if (model_.units % handover.clusters != 0)
      table.fail("clusters", fmt::format("'clusters' must divide the {} units", model_.units));
    if ((handover.clusters > 1) != (handover.far_cycles > 0))
      table.fail(handover.clusters > 1 ? "clusters" : "far_cycles", "'clusters' and 'far_cycles' go together");
    return handover;
  }

  AtomicRates atomic_throughput(const toml::table& node) {
    AtomicRates throughput;
    open(node, "atomics.throughput", "atomics.throughput",
         {figure("local_word", read_number(throughput.local_word, kPositive)),
          figure("local_unit", read_number(throughput.local_unit, kPositive)),
          figure("global_word", read_number(throughput.global_word, kPositive)),
          figure("global_line", read_number(throughput.global_line, kPositive)),
          figure("global_unit", read_number(throughput.global_unit, kPositive)),
          figure("global_device", read_number(throughput.global_device, kPositive))});
    return throughput;
  }

  UnitCapacity residency(const toml::table& node) {
    UnitCapacity residency;
    const StrictTable table = open(
        node, "residency", "residency",
        {figure("subgroups", read_whole(residency.subgroups, 1, 65536)), figure("groups", read_whole(residency.groups, 1, 65536)),
         figure("registers", read_whole(residency.registers, 1, INT32_MAX)),
         optional_figure("register_step", read_whole(residency.register_step, 1, 256)),
         figure("local_bytes", read_bytes(residency.local_bytes)),
         optional_figure("local_step", read_bytes(residency.local_step)),
         optional_figure("local_overhead", read_bytes(residency.local_overhead))});
    if (residency.local_bytes < model_.local.bytes)
      table.fail("local_bytes", "a unit cannot have less local memory than one of its work-groups (table [local])");
    return residency;
  }

  ChipLayout chip(const toml::table& node) {
    ChipLayout chip;
    const StrictTable table = open(node, "chip", "chip",
                                   {figure("slices", read_whole(chip.slices, 1, 4096)),
                                    optional_figure("units_together", read_whole(chip.units_together, 1, model_.units)),
                                    optional_figure("partitions", read_whole(chip.partitions, 1, 16)),
                                    figure("near_cycles", read_number(chip.near_cycles, kPositive)),
                                    figure("step_cycles", read_number(chip.step_cycles, kPositive)),
                                    optional_figure("far_cycles", read_number(chip.far_cycles, kPositive)),
                                    optional("seed", read_whole(chip.seed, 0, INT64_MAX))});
    if ((chip.partitions > 1) != (chip.far_cycles > 0))
      table.fail(chip.partitions > 1 ? "partitions" : "far_cycles", "'partitions' and 'far_cycles' go together");
    return chip;
  }

  InstructionMemory instructions(const toml::table& node) {
    InstructionMemory instructions;
    std::vector<double> cycles;
    const StrictTable table =
        open(node, "instructions", "instructions",
             {figure("bytes", read_whole(instructions.bytes, 1, 64)), figure("caches"),
              figure("cycles", read_numbers(cycles, kPositive)), optional_figure("owners"), optional_figure("constants"),
              figure("memory_cycles", read_number(instructions.memory_cycles, kPositive))});
    for (const toml::table* cache : table.tables("caches")) {
      InstructionCache made;
      const StrictTable one = open(*cache, "instruction cache", "", {required("size_bytes", read_bytes(made.size_bytes))});
      if (!instructions.caches.empty() && made.size_bytes <= instructions.caches.back().size_bytes)
        one.fail("size_bytes", "instruction caches must ascend in size");
      if (instructions.caches.size() < cycles.size()) made.cycles = cycles[instructions.caches.size()];
      instructions.caches.push_back(made);
    }
    if (cycles.size() != instructions.caches.size()) table.fail("cycles", "'cycles' needs one number for each cache");
    if (table.has("owners")) read_owners(table, instructions);
    if (table.has("constants")) read_code_constants(table, instructions);
    return instructions;
  }

  void read_owners(const StrictTable& table, InstructionMemory& instructions) const {
    static constexpr std::array<std::pair<std::string_view, CodeOwner>, 4> kOwners{{{"scheduler", CodeOwner::scheduler},
                                                                                    {"unit", CodeOwner::unit},
                                                                                    {"neighbours", CodeOwner::neighbours},
                                                                                    {"device", CodeOwner::device}}};
    const auto owners = table.texts("owners");
    if (owners.size() != instructions.caches.size()) table.fail("owners", "'owners' needs one word for each cache");
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const auto found =
          std::find_if(kOwners.begin(), kOwners.end(), [&](const auto& known) { return known.first == owners[i]; });
      if (found == kOwners.end())
        table.fail("owners", fmt::format("'{}' is not one of: scheduler, unit, neighbours, device", owners[i]));
      if (found->second == CodeOwner::scheduler && model_.schedulers == 0) table.fail("owners", "'scheduler' needs 'schedulers'");
      instructions.caches[i].owner = found->second;
    }
  }

  void read_code_constants(const StrictTable& table, InstructionMemory& instructions) const {
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
  void operations(const toml::table& node) {
    const StrictTable table = open(node, "operations", "", {required("source"), optional("cycles"), optional("results")});
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

  Noise noise(const toml::table& node) {
    Noise noise;
    open(node, "noise", "",
         {optional("gaussian", read_number(noise.gaussian, kShare)),
          optional("outlier_share", read_number(noise.outlier_share, kShare)),
          optional("outlier_factor", read_number(noise.outlier_factor, kFromOne)),
          optional("burst_share", read_number(noise.burst_share, kShare)),
          optional("burst_dispatches", read_whole(noise.burst_dispatches, 1, INT64_MAX)),
          optional("burst_factor", read_number(noise.burst_factor, kFromOne)),
          optional("seed", read_whole(noise.seed, 0, INT64_MAX))});
    return noise;
  }

  ClockBehaviour clock(const toml::table& node) {
    ClockBehaviour clock;
    const StrictTable table =
        open(node, "clock", "clock",
             {figure("mhz", read_number(clock.mhz, kMegahertz)), optional("idle_mhz", read_number(clock.idle_mhz, kMegahertz)),
              optional("ramp_ms", read_number(clock.ramp_ms, kPositive)),
              optional("throttled_mhz", read_number(clock.throttled_mhz, kMegahertz)),
              optional("throttle_after_ms", read_number(clock.throttle_after_ms, kPositive)),
              optional("throttle_constant_ms", read_number(clock.throttle_constant_ms, kPositive))});
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

  HeatBehaviour heat(const toml::table& node) {
    HeatBehaviour heat;
    const StrictTable table =
        open(node, "heat", "",
             {required("idle_w", read_number(heat.idle_w, kPositive)), required("load_w", read_number(heat.load_w, kPositive)),
              required("idle_c", read_number(heat.idle_c, kPositive)), required("load_c", read_number(heat.load_c, kPositive)),
              required("constant_ms", read_number(heat.constant_ms, kPositive))});
    if (heat.idle_w >= heat.load_w) table.fail("idle_w", "'idle_w' must be below 'load_w'");
    if (heat.idle_c >= heat.load_c) table.fail("idle_c", "'idle_c' must be below 'load_c'");
    return heat;
  }

  Timer timer(const toml::table& node) {
    Timer timer;
    open(node, "timer", "",
         {optional("resolution_ns", read_number(timer.resolution_ns, kPositive)),
          optional("launch_ns", read_number(timer.launch_ns, kNotNegative)),
          optional("host_overhead_ns", read_number(timer.host_overhead_ns, kNotNegative)),
          optional("device", read_flag(timer.device))});
    return timer;
  }

  UnitClock unit_clock(const toml::table& node) {
    UnitClock clock;
    open(node, "unit_clock", "",
         {optional("overhead_cycles", read_number(clock.overhead_cycles, kNotNegative)),
          optional("tick_mhz", read_number(clock.tick_mhz, kMegahertz))});
    return clock;
  }

  Fault fault(const toml::table& node) {
    Fault fault;
    const auto read_at = [&fault](const StrictTable& table, std::string_view key) {
      const bool bytes = fault.kind == Fault::Effect::out_of_memory;
      (bytes ? read_bytes(fault.at) : read_whole(fault.at, 1, INT64_MAX))(table, key);
    };
    const StrictTable table =
        open(node, titled("fault", node, "kind"), "",
             {required("kind", read_choice<Fault::Effect>(fault.kind, {{"build-failure", Fault::Effect::build_failure},
                                                                       {"out-of-memory", Fault::Effect::out_of_memory},
                                                                       {"lost", Fault::Effect::lost},
                                                                       {"timer-backwards", Fault::Effect::timer_backwards},
                                                                       {"wrong-result", Fault::Effect::wrong_result}})),
              required("at", read_at)});
    const bool taken =
        std::any_of(model_.faults.begin(), model_.faults.end(), [&](const Fault& other) { return other.kind == fault.kind; });
    if (taken) table.fail("kind", "there is a fault of this kind already");
    if (fault.kind == Fault::Effect::timer_backwards && !model_.timer.device) {
      table.fail("kind", "there is no device timer to jump back: 'timer.device' is false");
    }
    return fault;
  }

  void check_paths(const StrictTable& table) const {
    if (model_.path(MemoryPath::global) == nullptr) table.fail("path", "there is no path 'global'");
    for (std::size_t i = 0; i < model_.caches.size(); ++i) {
      const bool used = std::any_of(model_.paths.begin(), model_.paths.end(), [&](const Path& path) {
        return std::any_of(path.hops.begin(), path.hops.end(), [&](const Hop& hop) { return hop.cache == i; });
      });
      if (!used)
        table.fail_at(table.tables("cache")[i]->source().begin.line,
                      fmt::format("no path goes through cache '{}'", model_.caches[i].name));
    }
  }

  std::string where_;
  std::vector<ModelFigure> figures_;
  std::vector<std::string> names_{"global",  "texture",  "constant", "scalar", "local",
                                  "atomics", "handover", "clock",    "pages",  "dram"};
  Model model_;
};

}  // namespace

Model parse_model(std::string_view text, const std::string& where) {
  const toml::table file = parse_toml(text, where);
  Model model = ModelReader(where).read(file);
  model.text_hash = hex64(fnv1a(text));
  return model;
}

}  // namespace percycle::sim
