#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "sim/model.hpp"
#include "source_folders.hpp"

namespace percycle::sim::sim_model_test {

namespace {

/// Every kind of table once; the line numbers below refer to this text.
constexpr std::string_view kText = R"(name = "Example"
vendor = "Someone"
units = 8
subgroup_size = 32
memory_bytes = "1G"
assumed = ["*"]

[[cache]]
name = "L1"
size_bytes = 16384
line_bytes = 128
sector_bytes = 32
ways = 4
replacement = "not-mru"
scope = "unit"
copies = 2

[[cache]]
name = "L2"
size_bytes = "1M"
line_bytes = 64
ways = 16
index = "hashed"
replacement = "pseudo-lru"
scope = "cluster"
cluster_units = 4
bytes_per_cycle = 64

[[path]]
path = "global"
hops = [
  { cache = "L1", latency_cycles = 30 },
  { cache = "L2", latency_cycles = 150, near_bytes = "512K", far_latency_cycles = 180.5 },
]
memory_latency_cycles = 400

[[tlb]]
name = "T1"
page_bytes = "64K"
reach_bytes = "8M"
penalty_cycles = 90
per_units = 0

[[tlb]]
name = "T2"
page_bytes = "2M"
reach_bytes = "64M"
penalty_cycles = 200

[local]
bytes = "48K"
latency_cycles = 22

[clock]
mhz = 1500
idle_mhz = 300
ramp_ms = 20
throttled_mhz = 1000
throttle_after_ms = 500

[noise]
gaussian = 0.01
outlier_share = 0.001
seed = 7

[timer]
resolution_ns = 32

[unit_clock]
tick_mhz = 100

[[fault]]
kind = "wrong-result"
at = 3

[sources]
"L1.ways" = "Manual, page 3: 4 ways"
)";

/// kText with its one occurrence of `from` replaced.
std::string edited(std::string_view from, std::string_view to) {
  std::string text(kText);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE_MESSAGE(text.find(from, at + 1) == std::string::npos, std::string(from));
  return text.replace(at, from.size(), to);
}

std::string refusal(std::string_view text) {
  try {
    parse_model(text, "m.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

struct Case {
  std::string_view from;
  std::string_view to;
  std::string_view message;
};

void check_refusals(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    CAPTURE(each.to);
    CHECK(refusal(edited(each.from, each.to)) == each.message);
  }
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::filesystem::path models_folder() { return sources_folder() / "sim" / "models"; }

std::string load_refusal(const std::string& name) {
  try {
    load_model(name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a model has the values of its file") {
  const Model model = parse_model(kText, "m.toml");
  CHECK(model.name == "Example");
  CHECK(model.vendor == "Someone");
  CHECK(model.type == DeviceType::gpu);
  CHECK(model.units == 8);
  CHECK(model.subgroup_size == 32);
  CHECK(model.memory_bytes == 1u << 30);
  CHECK_FALSE(model.tlb_before_caches);
  CHECK(model.text_hash == hex64(fnv1a(kText)));

  REQUIRE(model.caches.size() == 2);
  const Cache& l1 = model.caches[0];
  CHECK(l1.name == "L1");
  CHECK(l1.size_bytes == 16384);
  CHECK(l1.line_bytes == 128);
  CHECK(l1.sector_bytes == 32);
  CHECK(l1.ways == 4);
  CHECK(l1.sets() == 32);
  CHECK(l1.index == SetIndex::modulo);
  CHECK(l1.replacement == Replacement::not_mru);
  CHECK(l1.scope == Scope::unit);
  CHECK(l1.copies == 2);
  CHECK(l1.bytes_per_cycle == 0);
  const Cache& l2 = model.caches[1];
  CHECK(l2.size_bytes == 1u << 20);
  CHECK(l2.sector_bytes == 64);  // a whole line unless said otherwise
  CHECK(l2.index == SetIndex::hashed);
  CHECK(l2.replacement == Replacement::pseudo_lru);
  CHECK(l2.scope == Scope::cluster);
  CHECK(l2.cluster_units == 4);
  CHECK(l2.bytes_per_cycle == 64);

  CHECK(model.path(MemoryPath::texture) == nullptr);
  const Path* path = model.path(MemoryPath::global);
  REQUIRE(path != nullptr);
  REQUIRE(path->hops.size() == 2);
  CHECK(path->hops[0].cache == 0);
  CHECK(path->hops[0].latency_cycles == 30);
  CHECK_FALSE(path->hops[0].far_latency_cycles);
  CHECK(path->hops[1].cache == 1);
  CHECK(path->hops[1].latency_cycles == 150);
  CHECK(path->hops[1].far_latency_cycles == 180.5);
  CHECK(path->hops[1].near_bytes == 512u * 1024);
  CHECK(path->memory_latency_cycles == 400);

  REQUIRE(model.tlbs.size() == 2);
  CHECK(model.tlbs[0].name == "T1");
  CHECK(model.tlbs[0].page_bytes == 65536);
  CHECK(model.tlbs[0].reach_bytes == 8u << 20);
  CHECK(model.tlbs[0].penalty_cycles == 90);
  CHECK(model.tlbs[0].per_units == 0);
  CHECK(model.tlbs[1].per_units == 1);

  CHECK(model.local.bytes == 49152);
  CHECK(model.local.latency_cycles == 22);
  CHECK(model.local.banks == 32);
  CHECK(model.clock.mhz == 1500);
  CHECK(model.clock.idle_mhz == 300);
  CHECK(model.clock.ramp_ms == 20);
  CHECK(model.clock.throttled_mhz == 1000);
  CHECK(model.clock.throttle_after_ms == 500);
  CHECK(model.noise.gaussian == 0.01);
  CHECK(model.noise.outlier_share == 0.001);
  CHECK(model.noise.outlier_factor == 3);
  CHECK(model.noise.seed == 7);
  CHECK(model.timer.resolution_ns == 32);
  CHECK(model.timer.launch_ns == 4000);
  CHECK(model.timer.device);
  REQUIRE(model.unit_clock);
  CHECK(model.unit_clock->tick_mhz == 100);
  REQUIRE(model.faults.size() == 1);
  CHECK(model.faults[0].kind == Fault::Effect::wrong_result);
  CHECK(model.faults[0].at == 3);
}

TEST_CASE("a model may leave out keys that have defaults") {
  const Model plain = parse_model(kText, "m.toml");
  CHECK(plain.max_group_size == 1024);
  CHECK(plain.constant_bytes == 65536);
  CHECK(plain.constant_buffers == 1);
  CHECK(plain.max_texel_elements == 1u << 27);
  CHECK(plain.cycles_per_operation == 4);
  CHECK(plain.memory_bytes_per_cycle == 0);
  CHECK(plain.compute_capability.empty());
  CHECK(plain.local.bank_bytes == 4);
  CHECK(plain.timer.host_overhead_ns == 10000);
  CHECK(plain.unit_clock->overhead_cycles == 2);

  const Model model = parse_model(edited("units = 8", R"(units = 8
max_group_size = 512
constant_bytes = "16K"
constant_buffers = 4
max_texel_elements = 1000
cycles_per_operation = 6.5
compute_capability = "1.2"
memory_bytes_per_cycle = 201.5
tlb_before_caches = true)"),
                                  "m.toml");
  CHECK(model.max_group_size == 512);
  CHECK(model.constant_bytes == 16384);
  CHECK(model.constant_buffers == 4);
  CHECK(model.max_texel_elements == 1000);
  CHECK(model.cycles_per_operation == 6.5);
  CHECK(model.compute_capability == "1.2");
  CHECK(model.tlb_before_caches);
  CHECK(model.memory_bytes_per_cycle == 201.5);
  const Model banked = parse_model(
      edited("latency_cycles = 22", "latency_cycles = 22\nbanks = 16\nbank_bytes = 8\nbytes_per_cycle = 64"), "m.toml");
  CHECK(banked.local.bytes_per_cycle == 64);
  CHECK(plain.local.bytes_per_cycle == 0);
  CHECK(banked.local.banks == 16);
  CHECK(banked.local.bank_bytes == 8);
  CHECK(parse_model(edited("resolution_ns = 32", "host_overhead_ns = 5"), "m.toml").timer.host_overhead_ns == 5);
  CHECK(parse_model(edited("tick_mhz = 100", "overhead_cycles = 40"), "m.toml").unit_clock->overhead_cycles == 40);
}

TEST_CASE("latencies of atomics are optional and strictly checked") {
  CHECK_FALSE(parse_model(kText, "m.toml").atomics);
  const auto with = [](std::string_view table) { return edited("[clock]", fmt::format("{}\n[clock]", table)); };
  const Model model = parse_model(with("[atomics]\nlocal_cycles = [8, 10.5]\nglobal_cycles = [76]"), "m.toml");
  REQUIRE(model.atomics);
  CHECK(model.atomics->local_cycles == std::vector<double>{8, 10.5});
  CHECK(model.atomics->global_cycles == std::vector<double>{76});
  CHECK_FALSE(model.atomics->throughput);

  const auto refused = [&](std::string_view local) {
    return refusal(with(fmt::format("[atomics]\nglobal_cycles = [76]\nlocal_cycles = {}", local)));
  };
  const std::string_view list = "m.toml:56: atomics: 'local_cycles' must be a list of 1 to 16 times a number above 0";
  CHECK(refused("8") == list);
  CHECK(refused("[]") == list);
  CHECK(refused("[8, 0]") == list);
  CHECK(refused("[8, \"9\"]") == list);
  CHECK(refused("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]") == list);
  CHECK_WORDS("model.falling-atomics", refused("[8, 10, 9]"));
  CHECK_WORDS("model.missing-global-cycles", refusal(with("[atomics]\nlocal_cycles = [8]")));
  CHECK_WORDS("model.unknown-atomics-key", refused("[8]\nshared_cycles = [9]"));
  CHECK_WORDS("model.cache-named-atomics", refusal(edited("name = \"L2\"", "name = \"atomics\"")));
}

TEST_CASE("hand-over costs are optional and strictly checked") {
  CHECK_FALSE(parse_model(kText, "m.toml").handover);
  const auto with = [](std::string_view keys) { return edited("[clock]", fmt::format("[handover]\n{}\n[clock]", keys)); };
  const std::string_view all = "local_cycles = 30\nunit_cycles = 90\ncluster_cycles = 100";
  const Model model = parse_model(with(all), "m.toml");
  REQUIRE(model.handover);
  CHECK(model.handover->local_cycles == 30);
  CHECK(model.handover->global_cycles(3, 3, 8) == 90);
  CHECK(model.handover->global_cycles(0, 7, 8) == 100);
  const Model two = parse_model(with(fmt::format("{}\nfar_cycles = 160\nclusters = 2", all)), "m.toml");
  CHECK(two.handover->global_cycles(0, 3, 8) == 100);
  CHECK(two.handover->global_cycles(3, 4, 8) == 160);

  const auto refused = [&](std::string_view more) { return refusal(with(fmt::format("{}\n{}", all, more))); };
  CHECK_WORDS("model.handover-pair", refused("clusters = 2"));
  CHECK_WORDS("model.handover-pair", refused("far_cycles = 160"));
  CHECK_WORDS("model.handover-clusters", refused("far_cycles = 160\nclusters = 3"));
  CHECK_WORDS("model.unknown-handover-key", refused("near_cycles = 3"));
  CHECK_WORDS("model.missing-cluster-cycles", refusal(with("local_cycles = 30\nunit_cycles = 90")));
  CHECK_WORDS("model.cache-named-handover", refusal(edited("name = \"L2\"", "name = \"handover\"")));
}

TEST_CASE("owners and constants of instruction caches are optional, with one value for each cache") {
  const auto with = [](std::string_view keys) {
    return edited("[clock]", fmt::format("[instructions]\nbytes = 16\ncaches = [{{ size_bytes = 16384 }}, {{ size_bytes = "
                                         "\"1M\" }}]\ncycles = [2, 4]\nmemory_cycles = 9\n{}\n[clock]",
                                         keys));
  };
  const auto plain = parse_model(with(""), "m.toml").instructions.value().caches;
  REQUIRE(plain.size() == 2);
  CHECK(plain[0].owner == CodeOwner::unit);
  CHECK_FALSE(plain[1].constants);
  const auto caches =
      parse_model(with("owners = [\"neighbours\", \"device\"]\nconstants = [\"none\", \"L2\"]"), "m.toml").instructions->caches;
  CHECK(caches[0].owner == CodeOwner::neighbours);
  CHECK(caches[1].owner == CodeOwner::device);
  CHECK_FALSE(caches[0].constants);
  CHECK(caches[1].constants == 1);

  const auto refused = [&](std::string_view keys) { return refusal(with(keys)); };
  CHECK_WORDS("model.owners-count", refused("owners = [\"unit\"]"));
  CHECK_WORDS("model.unknown-owner", refused("owners = [\"unit\", \"chip\"]"));
  CHECK_WORDS("model.missing-schedulers", refused("owners = [\"scheduler\", \"unit\"]"));
  CHECK_WORDS("model.constants-count", refused("constants = [\"L1\"]"));
  CHECK_WORDS("model.unknown-cache", refused("constants = [\"none\", \"L3\"]"));
  CHECK_WORDS("model.cache-of-another-size", refused("constants = [\"L2\", \"none\"]"));
}

TEST_CASE("throughput of atomics is optional, but must be complete") {
  const auto with = [](std::string_view more, std::string_view device = "6") {
    return edited(
        "[clock]",
        fmt::format("[atomics]\nlocal_cycles = [8]\nglobal_cycles = [76]\n[atomics.throughput]\nlocal_word = 1\n"
                    "local_unit = 2\nglobal_word = 3\nglobal_line = 4\nglobal_unit = 5.5\nglobal_device = {}\n{}\n[clock]",
                    device, more));
  };
  const Model model = parse_model(with(""), "m.toml");
  REQUIRE(model.atomics);
  REQUIRE(model.atomics->throughput);
  const AtomicRates& rates = *model.atomics->throughput;
  CHECK(rates.local_word == 1);
  CHECK(rates.local_unit == 2);
  CHECK(rates.global_word == 3);
  CHECK(rates.global_line == 4);
  CHECK(rates.global_unit == 5.5);
  CHECK(rates.global_device == 6);
  CHECK_WORDS("model.throughput-positive", refusal(with("", "0")));
  CHECK_WORDS("model.unknown-throughput-key", refusal(with("word = 1")));
  CHECK_WORDS(
      "model.missing-local-unit",
      refusal(edited("[clock]",
                     "[atomics]\nlocal_cycles = [8]\nglobal_cycles = [76]\n[atomics.throughput]\nlocal_word = 1\n[clock]")));
}

TEST_CASE("errors in a model's TOML and missing parts are refused with the line") {
  CHECK(refusal("name = ").starts_with("m.toml:1: "));
  for (const char* header : {"[\\b", "[[\\b]]", "[,]", "[=]"})
    CHECK(refusal(fmt::format("# no key behind a bracket\n{}\n", header))
              .starts_with("m.toml:2: Error while parsing key: expected bare key"));
  check_refusals({
      {"units = 8", "units = 8\nunit = 8", "m.toml:4: unknown key 'unit'"},
      {"vendor = \"Someone\"\n", "", "m.toml:1: 'vendor' is missing"},
      {"[local]\nbytes = \"48K\"\nlatency_cycles = 22\n", "", "m.toml:1: 'local' is missing"},
      {"name = \"Example\"", "name = \"\"", "m.toml:1: 'name' must be a text that is not empty"},
      {"units = 8", "units = 8.0", "m.toml:3: 'units' must be a whole number from 1 to 65536"},
      {"subgroup_size = 32", "subgroup_size = 24", "m.toml:4: 'subgroup_size' must be a power of two"},
      {"\"1G\"", "\"1X\"", "m.toml:5: 'memory_bytes': '1X' is not a size in bytes (examples: 4096, 48K, 512M, 1G)"},
      {"\"1G\"", "-1", "m.toml:5: 'memory_bytes' must be a size in bytes, such as 4096 or \"48K\""},
      {"units = 8", "units = 8\ntlb_before_caches = 1", "m.toml:4: 'tlb_before_caches' must be true or false"},
      {"units = 8", "units = 8\nmemory_bytes_per_cycle = 0", "m.toml:4: 'memory_bytes_per_cycle' must be a number above 0"},
      {"units = 8", "units = 8\ntype = \"tpu\"", "m.toml:4: 'type' must be one of gpu, cpu, other; it is 'tpu'"},
      {"path = \"global\"", "path = \"texture\"", "m.toml:29: there is no path 'global'"},
  });
}

TEST_CASE("impossible caches are refused") {
  check_refusals({
      {"copies = 2", "copys = 2", "m.toml:16: cache 'L1': unknown key 'copys'"},
      {"name = \"L1\"\n", "", "m.toml:8: cache: 'name' is missing"},
      {"name = \"L2\"", "name = \"L1\"", "m.toml:19: cache 'L1': the name 'L1' is taken"},
      {"name = \"L2\"", "name = \"local\"", "m.toml:19: cache 'local': the name 'local' is taken"},
      {"line_bytes = 128", "line_bytes = 96", "m.toml:11: cache 'L1': 'line_bytes' must be a power of two up to 65536"},
      {"sector_bytes = 32", "sector_bytes = 48",
       "m.toml:12: cache 'L1': 'sector_bytes' must be a power of two that divides the line of 128 B"},
      {"sector_bytes = 32", "sector_bytes = 1", "m.toml:12: cache 'L1': a line has at most 64 sectors, not 128"},
      {"sector_bytes = 32", "sector_bytes = 256",
       "m.toml:12: cache 'L1': 'sector_bytes' must be a power of two that divides the line of 128 B"},
      {"16384", "16000", "m.toml:10: cache 'L1': 16000 B are not a whole number of sets of 4 ways of 128 B"},
      {"16384", "256", "m.toml:10: cache 'L1': 256 B are not a whole number of sets of 4 ways of 128 B"},
      {"\"1M\"", "\"1536K\"", "m.toml:23: cache 'L2': a hashed index needs a power of two of sets, at least 2, not 1536"},
      {"ways = 16", "ways = 16384", "m.toml:23: cache 'L2': a hashed index needs a power of two of sets, at least 2, not 1"},
      {"ways = 16\nindex = \"hashed\"", "ways = 8\nindex = \"xor\"",
       "m.toml:23: cache 'L2': 'index' must be one of modulo, hashed; it is 'xor'"},
      {"\"1M\"\nline_bytes = 64\nways = 16", "\"1536K\"\nline_bytes = 64\nways = 24",
       "m.toml:24: cache 'L2': pseudo-LRU needs a power of two of ways, not 24"},
      {"ways = 4", "ways = 1", "m.toml:14: cache 'L1': not-MRU needs at least 2 ways"},
      {"scope = \"unit\"", "scope = \"device\"", "m.toml:16: cache 'L1': 'copies' is for a cache of scope \"unit\" only"},
      {"cluster_units = 4\n", "", "m.toml:18: cache 'L2': 'cluster_units' goes with scope \"cluster\", and only with it"},
      {"cluster_units = 4", "cluster_units = 9", "m.toml:26: cache 'L2': 'cluster_units' must be a whole number from 1 to 8"},
      {"bytes_per_cycle = 64", "bytes_per_cycle = 0", "m.toml:27: cache 'L2': 'bytes_per_cycle' must be a number above 0"},
      {"  { cache = \"L1\", latency_cycles = 30 },\n", "", "m.toml:8: no path goes through cache 'L1'"},
  });
}

TEST_CASE("impossible paths are refused") {
  check_refusals({
      {"{ cache = \"L1\"", "{ cache = \"L3\"", "m.toml:32: path 'global': there is no cache 'L3'"},
      {"{ cache = \"L2\"", "{ cache = \"L1\"",
       "m.toml:33: path 'global': the near part of cache 'L1' must be a whole number of its sets and smaller than it"},
      {"latency_cycles = 30 }", "latency_cycles = 150 }",
       "m.toml:33: path 'global': cache 'L2' must be slower than the caches before it"},
      {"latency_cycles = 30 },", "latency_cycles = 30 }, { cache = \"L1\", latency_cycles = 40 },",
       "m.toml:32: path 'global': it goes through cache 'L1' twice"},
      {"latency_cycles = 30 }", "latency_cycles = nan }", "m.toml:32: path 'global': 'latency_cycles' must be a number above 0"},
      {", far_latency_cycles = 180.5", "",
       "m.toml:33: path 'global': 'near_bytes' and 'far_latency_cycles' of cache 'L2' go together"},
      {"180.5", "150", "m.toml:33: path 'global': the far part of cache 'L2' must be slower than the near one"},
      {"512K", "1024K",
       "m.toml:33: path 'global': the near part of cache 'L2' must be a whole number of its sets and smaller than it"},
      {"512K", "768K",
       "m.toml:33: path 'global': the near part of the hashed cache 'L2' needs a power of two of sets, at least 2, not 768"},
      {"memory_latency_cycles = 400", "memory_latency_cycles = 180",
       "m.toml:35: path 'global': memory must be slower than every cache before it"},
      {"memory_latency_cycles = 400",
       "memory_latency_cycles = 400\n[[path]]\npath = \"global\"\nhops = []\nmemory_latency_cycles = 1",
       "m.toml:37: path 'global': there is a path of this name already"},
      {"memory_latency_cycles = 400",
       "memory_latency_cycles = 400\n[[path]]\npath = \"scalar\"\nhops = []\nmemory_latency_cycles = 1",
       "m.toml:38: path 'scalar': 'hops' must be a list of tables, at least one"},
      {"path = \"global\"", "path = \"local\"",
       "m.toml:30: path 'local': 'path' must be one of global, texture, constant, scalar; it is 'local'"},
  });
}

TEST_CASE("impossible TLBs, clocks, noise, timers and faults are refused") {
  check_refusals({
      {"\"8M\"", "\"1000K\"", "m.toml:40: tlb 'T1': 1024000 B are not a whole number of pages of 65536 B"},
      {"page_bytes = \"64K\"", "page_bytes = \"96K\"", "m.toml:39: tlb 'T1': 'page_bytes' must be a power of two"},
      {"\"64M\"", "\"8M\"", "m.toml:47: tlb 'T2': it must reach further than 'T1' before it"},
      {"\"T1\"", "\"L1\"", "m.toml:38: tlb 'L1': the name 'L1' is taken"},
      {"per_units = 0", "per_units = 9", "m.toml:42: tlb 'T1': 'per_units' must be a whole number from 0 to 8"},
      {"latency_cycles = 22", "latency_cycles = \"22\"", "m.toml:52: local: 'latency_cycles' must be a number above 0"},
      {"\nmhz = 1500", "\nmhz = 0", "m.toml:55: clock: 'mhz' must be a number from 1 to 100000"},
      {"\nidle_mhz = 300", "\nidle_mhz = 1500", "m.toml:56: clock: 'idle_mhz' must be below 'mhz'"},
      {"ramp_ms = 20\n", "", "m.toml:54: clock: 'idle_mhz' and 'ramp_ms' go together"},
      {"throttled_mhz = 1000", "throttled_mhz = 1600", "m.toml:58: clock: 'throttled_mhz' must be below 'mhz'"},
      {"throttle_after_ms = 500\n", "", "m.toml:54: clock: 'throttled_mhz' and 'throttle_after_ms' go together"},
      {"0.01", "1.0", "m.toml:62: noise: 'gaussian' must be a number from 0 to below 1"},
      {"0.001", "-0.001", "m.toml:63: noise: 'outlier_share' must be a number from 0 to below 1"},
      {"seed = 7", "outlier_factor = 0.5", "m.toml:64: noise: 'outlier_factor' must be a number from 1 on"},
      {"resolution_ns = 32", "launch_ns = -1", "m.toml:67: timer: 'launch_ns' must be a number from 0 on"},
      {"resolution_ns = 32", "device = \"no\"", "m.toml:67: timer: 'device' must be true or false"},
      {"[timer]\nresolution_ns = 32", "[[timer]]\nresolution_ns = 32", "m.toml:66: 'timer' must be a table"},
      {"tick_mhz = 100", "tick_mhz = 0", "m.toml:70: unit_clock: 'tick_mhz' must be a number from 1 to 100000"},
      {"\"wrong-result\"", "\"wrong\"",
       "m.toml:73: fault 'wrong': 'kind' must be one of build-failure, out-of-memory, lost, timer-backwards, wrong-result; it is "
       "'wrong'"},
      {"at = 3", "at = 3\n[[fault]]\nkind = \"wrong-result\"\nat = 4",
       "m.toml:76: fault 'wrong-result': there is a fault of this kind already"},
      {"resolution_ns = 32\n\n[unit_clock]\ntick_mhz = 100\n\n[[fault]]\nkind = \"wrong-result\"",
       "device = false\n\n[unit_clock]\ntick_mhz = 100\n\n[[fault]]\nkind = \"timer-backwards\"",
       "m.toml:73: fault 'timer-backwards': there is no device timer to jump back: 'timer.device' is false"},
      {"\nmhz = 1500", "\nmhz = 1e-300", "m.toml:55: clock: 'mhz' must be a number from 1 to 100000"},
      {"at = 3", "at = 0", "m.toml:74: fault 'wrong-result': 'at' must be a whole number from 1 to 9223372036854775807"},
  });
  CHECK(parse_model(edited("\"wrong-result\"\nat = 3", "\"out-of-memory\"\nat = \"64M\""), "m.toml").faults[0].at == 64u << 20);
}

TEST_CASE("every figure has one source, and other keys have none") {
  check_refusals({
      {"\"*\"", "\"units\"", "m.toml:4: 'subgroup_size' has no source: cite one in [sources] or name it in 'assumed'"},
      {"\"*\"", "\"*\", \"L1.ways\"", "m.toml:6: 'L1.ways' is assumed, but was cited or assumed already"},
      {"\"*\"", "\"units\", \"units\"", "m.toml:6: 'units' is assumed, but was cited or assumed already"},
      {"\"*\"", "\"vendor\"", "m.toml:6: 'vendor' is assumed, but is no figure of this model"},
      {"\"*\"", "1", "m.toml:6: 'assumed' must be a list of texts"},
      {"[\"*\"]", "\"*\"", "m.toml:6: 'assumed' must be a list of texts"},
      {"[sources]\n\"L1.ways\" = \"Manual, page 3: 4 ways\"\n", "", "accepted"},
      {"[sources]\n\"L1.ways\" = \"Manual, page 3: 4 ways\"\n", "[[sources]]\n", "m.toml:76: 'sources' must be a table"},
      {"\"L1.ways\" =", "\"L1.index\" =", "m.toml:77: a source for 'L1.index', which is no figure of this model"},
      {"\"Manual, page 3: 4 ways\"", "\"\"", "m.toml:77: the source of 'L1.ways' must be a text"},
  });
  // Listed by name: these and no others.
  constexpr std::string_view kFigures =
      R"("units", "subgroup_size", "memory_bytes", "L1.size_bytes", "L1.line_bytes", "L1.sector_bytes", "L1.replacement", "L1.scope", "L1.copies",
      "L2.size_bytes", "L2.line_bytes", "L2.ways", "L2.index", "L2.replacement", "L2.scope", "L2.cluster_units", "L2.bytes_per_cycle",
      "global.L1.latency_cycles", "global.L2.latency_cycles", "global.L2.near_bytes", "global.L2.far_latency_cycles", "global.memory_latency_cycles",
      "T1.page_bytes", "T1.reach_bytes", "T1.penalty_cycles", "T1.per_units", "T2.page_bytes", "T2.reach_bytes", "T2.penalty_cycles",
      "local.bytes", "local.latency_cycles", "clock.mhz")";
  CHECK(refusal(edited("\"*\"", kFigures)) == "accepted");
}

TEST_CASE("all shipped models load") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(models_folder())) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  CHECK(shipped_models() == files);
  for (const std::string name : {"gcn", "gen9", "gtx680", "k80", "m60", "p100", "p4", "rdna2", "t4", "v100"}) {
    CHECK(std::count(files.begin(), files.end(), name) == 1);
  }

  for (const std::string& name : shipped_models()) {
    CAPTURE(name);
    const Model model = load_model(name);
    const std::string_view text = shipped_model_text(name);
    CHECK(model.text_hash == hex64(fnv1a(text)));
    CHECK(count(text, "\"*\"") == 0);  // each figure is cited or assumed by name
    for (const std::string_view key : {"\nsector_bytes = ", "\nindex = ", "\nreplacement = "})
      CHECK(count(text, key) == model.caches.size());
    CHECK(count(text, "\nbanks = ") == 1);
    CHECK(count(text, "\nbank_bytes = ") == 1);
    CHECK(count(text, "\ncycles_per_operation = ") == 1);
    CHECK(count(text, "\ntlb_before_caches = ") == 1);
    CHECK(count(text, "\nper_units = ") == model.tlbs.size());
    CHECK(model.noise.gaussian == 0);
    CHECK(model.noise.outlier_share == 0);
    CHECK(model.faults.empty());
    CHECK(model.path(MemoryPath::texture) != nullptr);
    CHECK(model.path(MemoryPath::constant) != nullptr);
    CHECK(model.unit_clock.has_value() == (name != "gen9"));
    for (const Path& path : model.paths) {
      double before_cycles = 0;
      std::uint64_t before_bytes = 0;
      for (const Hop& hop : path.hops) {
        const Cache& cache = model.caches[hop.cache];
        CAPTURE(cache.name);
        // The smallest ratio that an analysis must distinguish.
        CHECK(cache.size_bytes >= 2 * before_bytes);
        CHECK(hop.latency_cycles >= before_cycles + std::max(8.0, 0.15 * before_cycles));
        before_bytes = cache.size_bytes;
        before_cycles = hop.latency_cycles;
      }
      CHECK(path.memory_latency_cycles >= 1.15 * before_cycles);
    }
  }
}

TEST_CASE("figures of shipped models equal those of their sources") {
  const Model t4 = load_model("t4");
  CHECK(t4.units == 40);
  CHECK(t4.clock.mhz == 1590);
  CHECK(t4.path(MemoryPath::global)->hops[1].latency_cycles == 188);
  CHECK(t4.caches[t4.path(MemoryPath::global)->hops[1].cache].size_bytes == 4096u * 1024);
  CHECK(t4.caches[t4.path(MemoryPath::global)->hops[1].cache].ways == 16);
  const Model gtx680 = load_model("gtx680");
  const Cache& texture = gtx680.caches[gtx680.path(MemoryPath::texture)->hops[0].cache];
  CHECK(texture.copies == 4);
  CHECK(texture.size_bytes == 12u * 1024);
  CHECK(texture.sets() == 4);
  const Model rdna2 = load_model("rdna2");
  std::vector<std::uint64_t> sizes;
  for (const Hop& hop : rdna2.path(MemoryPath::global)->hops) sizes.push_back(rdna2.caches[hop.cache].size_bytes / 1024);
  CHECK(sizes == std::vector<std::uint64_t>{16, 128, 4096, 131072});
  CHECK(rdna2.caches[0].copies == 2);
}

TEST_CASE("a model loads by name or by file") {
  CHECK(load_refusal("t5") ==
        fmt::format("sim:t5: unknown model; use a file that ends in .toml or one of {}", fmt::join(shipped_models(), ", ")));
  CHECK_WORDS("model.unreadable", load_refusal("nowhere.toml"));
  const std::filesystem::path file = models_folder() / "t4.toml";
  CHECK(load_model(file.string()).text_hash == load_model("t4").text_hash);
}

TEST_CASE("the example in the models' README loads") {
  const std::string readme = read(models_folder() / "README.md");
  const std::string_view opening = "```toml\n";
  const std::size_t start = readme.find(opening);
  REQUIRE(start != std::string::npos);
  const std::size_t end = readme.find("```", start + opening.size());
  REQUIRE(end != std::string::npos);
  const Model model = parse_model(readme.substr(start + opening.size(), end - start - opening.size()), "README.md");
  CHECK(model.caches.size() == 2);
  CHECK(model.path(MemoryPath::global)->hops[1].far_latency_cycles == 180);
  CHECK(model.unit_clock.has_value());
}

TEST_CASE("the description of a simulated device") {
  const std::string text = edited("units = 8", "units = 8\ntype = \"cpu\"");
  const DeviceInfo info = describe(parse_model(text, "m.toml"), "m.toml");
  CHECK(info.api == Api::sim);
  CHECK(info.index == 0);
  CHECK(info.model == "m.toml");
  CHECK(info.name == "Simulated Example");
  CHECK(info.vendor == "Someone");
  CHECK(info.type == DeviceType::cpu);
  CHECK(info.platform == "percycle simulated device");
  CHECK(info.api_version == "1");
  CHECK(info.driver == "model " + hex64(fnv1a(text)));
  CHECK_FALSE(info.compute_capability);
  CHECK(info.units == Sourced<std::uint32_t>{8, Provenance::reported});
  CHECK(info.clock_mhz == Sourced<double>{1500, Provenance::reported});
  CHECK(info.memory_bytes == 1u << 30);
  CHECK(info.max_allocation_bytes == 1u << 30);
  CHECK(info.max_storage_bytes == 1u << 30);
  CHECK(info.local_memory_bytes == 49152);
  CHECK(info.constant_bytes == 0);      // no path to it
  CHECK(info.max_texel_elements == 0);  // the same
  CHECK(info.max_group_size == 1024);
  CHECK(info.max_groups == 65535);
  CHECK(info.max_parameter_bytes == 128);
  CHECK(info.subgroup_sizes == std::vector<std::uint32_t>{32});
  CHECK_FALSE(info.subgroup_size_control);
  CHECK(info.address_bits == 64);
  CHECK(info.buffer_addresses);
  CHECK(info.int64);
  CHECK(info.unit_id == "simulated unit number");
  CHECK(info.timer_period_ns == 32);
  CHECK(info.timer_valid_bits == 64);
  REQUIRE(info.unit_clock);
  CHECK(info.unit_clock->name == "simulated unit clock");
  CHECK(info.unit_clock->tick_ns == 10);
  CHECK_FALSE(info.unit_clock->device_wide);
  CHECK_FALSE(info.device_clock);

  const DeviceInfo untimed = describe(parse_model(edited("resolution_ns = 32", "device = false"), "m.toml"), "m.toml");
  CHECK_FALSE(untimed.timer_period_ns);
  CHECK_FALSE(untimed.timer_valid_bits);

  const DeviceInfo t4 = describe(load_model("t4"), "t4");
  CHECK(t4.name == "Simulated Tesla T4");
  CHECK(t4.compute_capability == "7.5");
  CHECK(t4.constant_bytes == 65536);
  CHECK_FALSE(t4.constant_buffers);
  CHECK(describe(load_model("v100"), "v100").constant_buffers == 16u);
  CHECK(t4.max_texel_elements == 1u << 27);
  REQUIRE(t4.unit_clock);
  CHECK_FALSE(t4.unit_clock->tick_ns);  // counts core cycles
  CHECK_FALSE(describe(load_model("gen9"), "gen9").unit_clock);
}

}  // namespace percycle::sim::sim_model_test
