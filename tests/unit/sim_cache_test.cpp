#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/cache_contents.hpp"
#include "sim/cache_state.hpp"
#include "sim/tlb_state.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_cache_test {
namespace {

Cache cache(std::uint64_t sets, std::uint32_t ways, Replacement replacement = Replacement::lru) {
  return {.name = "cache",
          .size_bytes = sets * ways * 128,
          .line_bytes = 128,
          .sector_bytes = 32,
          .ways = ways,
          .replacement = replacement};
}

/// The lines of 0 .. lines-1 that miss in a second pass over them, `apart` lines apart.
std::vector<std::uint64_t> second_pass_misses(CacheState& state, std::uint64_t lines, std::uint64_t apart = 1) {
  for (std::uint64_t line = 0; line < lines; ++line) state.load(line * apart * 128, 4);
  std::vector<std::uint64_t> misses;
  for (std::uint64_t line = 0; line < lines; ++line) {
    if (!state.load(line * apart * 128, 4)) misses.push_back(line);
  }
  return misses;
}

TEST_CASE("sim cache: lines that fit hit; with one line more, all ways + 1 lines of its set miss") {
  CacheState fits(cache(8, 4), 1);
  CHECK(second_pass_misses(fits, 32).empty());
  CacheState over(cache(8, 4), 1);
  CHECK(second_pass_misses(over, 33) == std::vector<std::uint64_t>{0, 8, 16, 24, 32});
}

TEST_CASE("sim cache: the number of sets need not be a power of two") {
  CacheState over(cache(9, 2), 1);
  CHECK(second_pass_misses(over, 19) == std::vector<std::uint64_t>{0, 9, 18});
}

TEST_CASE("sim cache: a miss fetches sectors, a line is replaced whole") {
  CacheState state(cache(1, 2), 1);
  CHECK_FALSE(state.load(40, 4));
  CHECK(state.load(32, 32));
  CHECK_FALSE(state.load(64, 4));
  CHECK_FALSE(state.load(0, 128));  // two of four sectors are not enough
  CHECK(state.load(0, 128));
  CHECK_FALSE(state.load(96, 64));  // the next line's first sector is missing
  CHECK(state.load(128, 32));
  CHECK_FALSE(state.load(160, 4));
  CHECK(state.load(96, 4));
  CHECK_FALSE(state.load(256, 4));  // replaces line 1, the older
  CHECK(state.load(0, 128));
  CHECK_FALSE(state.load(128, 4));
}

TEST_CASE("sim cache: the least recently used line goes first") {
  CacheState state(cache(1, 4), 1);
  for (const std::uint64_t line : {0, 1, 2, 3, 0, 1}) state.load(line * 128, 4);
  CHECK_FALSE(state.load(4 * 128, 4));
  CHECK(state.load(0, 4));
  CHECK(state.load(128, 4));
  CHECK(state.load(3 * 128, 4));
  CHECK_FALSE(state.load(2 * 128, 4));
}

TEST_CASE("sim cache: tree pseudo-LRU replaces the way that its bits name, not always the oldest") {
  CacheState state(cache(1, 4, Replacement::pseudo_lru), 1);
  // After 0 1 2 3 0 the root points right and its right child at way 2; by age it would be way 1.
  for (const std::uint64_t line : {0, 1, 2, 3, 0, 4}) state.load(line * 128, 4);
  CHECK(state.load(128, 4));
  CHECK_FALSE(state.load(2 * 128, 4));
}

TEST_CASE("sim cache: not-MRU never replaces the line used last, random does") {
  for (const auto& [replacement, spared] : {std::pair{Replacement::not_mru, true}, std::pair{Replacement::random, false}}) {
    CacheState state(cache(1, 2, replacement), 7);
    int lost = 0;
    for (std::uint64_t line = 2; line < 1000; ++line) {
      state.load((line - 1) * 128, 4);
      state.load(line * 128, 4);
      if (!state.load((line - 1) * 128, 4)) ++lost;
    }
    CHECK((lost == 0) == spared);
  }
}

TEST_CASE("sim cache: random choices repeat with their seed") {
  CacheState a(cache(2, 8, Replacement::random), 5);
  CacheState b(cache(2, 8, Replacement::random), 5);
  CacheState c(cache(2, 8, Replacement::random), 6);
  const auto misses = second_pass_misses(a, 20);
  CHECK(misses == second_pass_misses(b, 20));
  CHECK(misses != second_pass_misses(c, 20));
}

TEST_CASE("sim cache: hashed sets are the exclusive or of all digits of the line's number") {
  CHECK(set_of(0x5, 16, SetIndex::hashed) == 0x5);
  CHECK(set_of(0x35, 16, SetIndex::hashed) == 0x6);
  CHECK(set_of(0x135, 16, SetIndex::hashed) == 0x7);
  CHECK(set_of(0x135, 1, SetIndex::hashed) == 0);
  CHECK(set_of(0x135, 16, SetIndex::modulo) == 0x5);
  Cache hashed = cache(16, 1);
  hashed.index = SetIndex::hashed;
  CacheState state(hashed, 1);
  // 16 lines apart: all in one set without the hash
  CHECK(second_pass_misses(state, 16, 16).empty());
  CacheState plain(cache(16, 1), 1);
  CHECK(second_pass_misses(plain, 2, 16).size() == 2);
}

TEST_CASE("sim tlb: pages that fit all hit in turn; with one page more, none hits") {
  const TlbModel tlb{.name = "TLB", .page_bytes = 4096, .reach_bytes = 8 * 4096};
  for (const std::uint64_t pages : {8, 9}) {
    TlbState state(tlb);
    for (std::uint64_t page = 0; page < pages; ++page) CHECK_FALSE(state.lookup(page * 4096));
    for (int lap = 0; lap < 2; ++lap) {
      for (std::uint64_t page = 0; page < pages; ++page) CHECK(state.lookup(page * 4096 + 4095) == (pages == 8));
    }
  }
  TlbState state(tlb);
  for (const std::uint64_t page : {0, 1, 2, 3, 4, 5, 6, 7, 0, 3, 7, 8}) state.lookup(page * 4096);
  CHECK(state.lookup(0));
  CHECK_FALSE(state.lookup(1 * 4096));  // the oldest gave way to page 8
  CHECK(state.lookup(3 * 4096));
}

TEST_CASE("sim tlb: a set that overflows misses, the others hit") {
  TlbState state({.name = "TLB", .page_bytes = 4096, .reach_bytes = 8 * 4096, .ways = 2});
  for (const std::uint64_t page : {0, 4, 1, 5, 9}) CHECK_FALSE(state.lookup(page * 4096));
  for (const std::uint64_t page : {0, 4}) CHECK(state.lookup(page * 4096));
  for (const std::uint64_t page : {1, 5, 9}) CHECK_FALSE(state.lookup(page * 4096));
}

const Path& global(const Model& model) { return path_taken(model, MemoryPath::global); }

TEST_CASE("sim hierarchy: a load takes the latency of its hop and fills its sector in every cache on the way") {
  const Model model = examples::small();
  CacheContents caches(model);
  CHECK(caches.load({}, global(model), 0, 4).cycles == 600);
  CHECK(caches.load({}, global(model), 28, 4).cycles == 30);
  CHECK(caches.load({}, global(model), 32, 4).cycles == 600);  // another sector
  // Another unit's first level.
  CHECK(caches.load({.unit = 1, .subgroup = 0}, global(model), 0, 4).cycles == 200);
  // 4 units: the same again
  CHECK(caches.load({.unit = 5, .subgroup = 0}, global(model), 4, 4).cycles == 30);
  for (std::uint64_t line = 8; line < 8 * 5; line += 8) caches.load({}, global(model), line * 128, 4);
  CHECK(caches.load({}, global(model), 0, 4).cycles == 200);
}

TEST_CASE("sim hierarchy: a cache requests whole sectors from the next") {
  Model model = examples::small();
  model.caches[0].sector_bytes = 128;
  CacheContents caches(model);
  CHECK(caches.load({.unit = 1, .subgroup = 0}, global(model), 64, 4).cycles == 600);
  // All four sectors of the second level had come.
  CHECK(caches.load({}, global(model), 0, 4).cycles == 200);
}

TEST_CASE("sim hierarchy: copies of a unit's cache go to subgroups in turn, clusters to neighbouring units") {
  Model model = examples::small();
  model.caches[0].copies = 2;
  CacheContents caches(model);
  caches.load({.unit = 0, .subgroup = 0}, global(model), 0, 4);
  CHECK(caches.load({.unit = 0, .subgroup = 2}, global(model), 0, 4).cycles == 30);
  CHECK(caches.load({.unit = 0, .subgroup = 1}, global(model), 0, 4).cycles == 200);
  CHECK(caches.load({.unit = 1, .subgroup = 0}, global(model), 0, 4).cycles == 200);

  model.caches[0].copies = 1;
  model.caches[0].scope = Scope::cluster;
  model.caches[0].cluster_units = 2;
  CacheContents clusters(model);
  clusters.load({.unit = 0, .subgroup = 0}, global(model), 0, 4);
  CHECK(clusters.load({.unit = 1, .subgroup = 3}, global(model), 0, 4).cycles == 30);
  CHECK(clusters.load({.unit = 2, .subgroup = 0}, global(model), 0, 4).cycles == 200);
}

TEST_CASE("sim hierarchy: the near part of a cache is quicker than the rest") {
  Model model = examples::small();
  model.paths[0].hops = {examples::hop(1, 200)};
  model.paths[0].hops[0].far_latency_cycles = 260;
  model.paths[0].hops[0].near_bytes = 32 * kKiB;
  CacheContents caches(model);
  const auto lap = [&](std::uint64_t lines) {
    std::vector<double> found;
    for (std::uint64_t line = 0; line < lines; ++line) {
      const double cycles = caches.load({}, global(model), line * 128, 4).cycles;
      if (std::find(found.begin(), found.end(), cycles) == found.end()) found.push_back(cycles);
    }
    return found;
  };
  CHECK(lap(256) == std::vector<double>{600});
  CHECK(lap(256) == std::vector<double>{200});
  lap(512);
  CHECK(lap(512) == std::vector<double>{260});
  lap(1024);
  CHECK(lap(1024) == std::vector<double>{600});
}

TEST_CASE("sim hierarchy: only loads that miss the first cache are translated, unless translation comes first") {
  Model model = examples::small();
  model.tlbs = {{.name = "first", .page_bytes = 4096, .reach_bytes = 4096, .penalty_cycles = 50},
                {.name = "second", .page_bytes = 4096, .reach_bytes = 2 * 4096, .penalty_cycles = 100}};
  for (const bool before : {false, true}) {
    model.tlb_before_caches = before;
    CacheContents caches(model);
    CHECK(caches.load({}, global(model), 0, 4).cycles == 600 + 150);
    CHECK(caches.load({}, global(model), 32, 4).cycles == 600);
    CHECK(caches.load({}, global(model), 4096, 4).cycles == 600 + 150);
    CHECK(caches.load({}, global(model), 0, 4).cycles == (before ? 30 + 50 : 30));
    // Its own buffers.
    CHECK(caches.load({.unit = 1, .subgroup = 0}, global(model), 0, 4).cycles == 200 + 150);
  }
  model.tlbs[1].per_units = 0;
  model.tlb_before_caches = false;
  CacheContents caches(model);
  caches.load({}, global(model), 0, 4);
  CHECK(caches.load({.unit = 1, .subgroup = 0}, global(model), 0, 4).cycles == 200 + 50);
}

TEST_CASE("sim hierarchy: atomics run in the last cache") {
  const Model model = examples::small();
  CacheContents caches(model);
  CHECK(caches.atomic({}, global(model), 0, 4) == 600);
  CHECK(caches.atomic({}, global(model), 0, 4) == 200);
  CHECK(caches.load({}, global(model), 0, 4).cycles == 200);
  CHECK(caches.atomic({}, global(model), 0, 4) == 200);
}

TEST_CASE("sim hierarchy: a path that the model does not list works like the global path") {
  Model model = examples::small();
  CHECK(&path_taken(model, MemoryPath::texture) == &model.paths[0]);
  model.paths.clear();
  CHECK_THROWS_AS(path_taken(model, MemoryPath::texture), std::invalid_argument);
}

}  // namespace
}  // namespace percycle::sim::sim_cache_test
