#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/cache_contents.hpp"
#include "sim/cache_state.hpp"
#include "sim/chase_costs.hpp"
#include "sim/chase_formula.hpp"
#include "sim/chase_simulation.hpp"
#include "sim/cyclic_misses.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_chase_test {
namespace {

constexpr std::uint64_t kBase = std::uint64_t{1} << 32;

PlacedWalk dense(std::uint64_t nodes, std::uint64_t stride = 128, std::uint64_t group = 1,
                 ChainOrder order = ChainOrder::random) {
  return {{}, MemoryPath::global, kBase, {Chain(nodes, order, 3, group), ChainLayout{.stride_bytes = stride, .pointers = true}}};
}

std::optional<double> by_formula(const Model& model, const PlacedWalk& walk) {
  return chase_formula(model, walk, cyclic_miss_share);
}

double simulated(const Model& model, const PlacedWalk& walk) { return simulate_chases(model, {&walk, 1}).front(); }

double cost(const Model& model, const PlacedWalk& walk) { return ChaseCosts(model).averages({walk}).front(); }

TEST_CASE("sim chase: loads hit up to a level's size and miss in each set that overflows") {
  const Model model = examples::small();
  CHECK(cost(model, dense(2)) == 30);
  CHECK(cost(model, dense(32)) == 30);
  CHECK(cost(model, dense(33)) == doctest::Approx((28 * 30 + 5 * 200) / 33.0).epsilon(1e-12));
  CHECK(cost(model, dense(40)) == 200);
  CHECK(cost(model, dense(512)) == 200);
  CHECK(cost(model, dense(512 + 8)) == doctest::Approx((24 * 16 * 200 + 8 * 17 * 600) / 520.0).epsilon(1e-12));
  CHECK(cost(model, dense(32 * 17)) == 600);
  CHECK(cost(model, dense(std::uint64_t{1} << 23)) == 600);
}

TEST_CASE("sim chase: a stride of several lines uses fewer sets") {
  const Model model = examples::small();
  CHECK(cost(model, dense(8, 512)) == 30);
  CHECK(cost(model, dense(10, 512)) == 200);
  CHECK(cost(model, dense(32, 384)) == 30);  // an odd number of lines apart: all sets
}

TEST_CASE("sim chase: the closed form equals the caches' result load by load, exactly, for LRU") {
  SplitMix64 random(11);
  const auto pick = [&](std::uint64_t from, std::uint64_t to) { return from + random() % (to - from + 1); };
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    Model model = examples::small();
    model.caches[0].ways = static_cast<std::uint32_t>(pick(1, 8));
    model.caches[0].size_bytes = 128 * model.caches[0].ways * pick(1, 16);
    model.caches[0].sector_bytes = 32 << pick(0, 2);
    model.caches[1].line_bytes = 32 << pick(0, 2);
    model.caches[1].sector_bytes = model.caches[1].line_bytes;
    model.caches[1].ways = static_cast<std::uint32_t>(pick(1, 16));
    model.caches[1].size_bytes = model.caches[1].line_bytes * model.caches[1].ways * (std::uint64_t{16} << pick(0, 3));
    if (pick(0, 1) == 1) model.caches[1].index = SetIndex::hashed;
    if (pick(0, 1) == 1) {
      model.paths[0].hops[1].far_latency_cycles = 260;
      model.paths[0].hops[1].near_bytes = model.caches[1].size_bytes / 2;
    }
    const std::uint64_t pages = pick(1, 64);
    if (pick(0, 1) == 1) model.tlbs = {{.name = "TLB", .page_bytes = 4096, .reach_bytes = pages * 4096, .penalty_cycles = 50}};
    const std::uint64_t stride = pick(0, 3) == 0 ? 4096 : 128 * pick(1, 3);
    const PlacedWalk walk = dense(2 * pick(1, 1000), stride, 1, pick(0, 1) == 1 ? ChainOrder::random : ChainOrder::sequential);
    CAPTURE(round);
    const auto formula = by_formula(model, walk);
    if (!formula) continue;
    CHECK(*formula == doctest::Approx(simulated(model, walk)).epsilon(1e-12));
    ++compared;
  }
  CHECK(compared > 100);
}

TEST_CASE("sim chase: the closed form is within a percent of the caches for the other policies") {
  for (const auto replacement : {Replacement::pseudo_lru, Replacement::random, Replacement::not_mru}) {
    Model model = examples::small();
    model.caches[0].replacement = replacement;
    model.caches[0].size_bytes = 32 * kKiB;
    model.caches[0].ways = 16;
    model.caches[1].size_bytes = 16 * kMiB;
    for (const std::uint64_t nodes : {128, 256, 272, 300, 350, 500, 1000, 3000}) {
      CAPTURE(static_cast<int>(replacement));
      CAPTURE(nodes);
      const auto formula = by_formula(model, dense(nodes));
      REQUIRE(formula);
      CHECK(*formula == doctest::Approx(simulated(model, dense(nodes))).epsilon(0.01));
    }
  }
}

TEST_CASE("sim chase: the share of misses in a set that is walked in turn, by policy") {
  for (const auto replacement : {Replacement::lru, Replacement::pseudo_lru, Replacement::random, Replacement::not_mru}) {
    CHECK(cyclic_miss_share(replacement, 8, 8) == 0);
    CHECK(cyclic_miss_share(replacement, 1, 2) == 1);
    CHECK(cyclic_miss_share(replacement, 8, 200) == 1);
  }
  CHECK(cyclic_miss_share(Replacement::lru, 8, 9) == 1);
  CHECK(cyclic_miss_share(Replacement::pseudo_lru, 8, 9) == 1);
  // Many ways at random: a line survives with exp(-x m), x the load and m the share of misses.
  for (const double load : {1.25, 1.5, 2.0, 4.0}) {
    double misses = 0.5;
    for (int i = 0; i < 200; ++i) misses = 1 - std::exp(-load * misses);
    CHECK(cyclic_miss_share(Replacement::random, 256, static_cast<std::uint64_t>(256 * load)) ==
          doctest::Approx(misses).epsilon(0.02));
  }
}

TEST_CASE("sim chase: the calculated loads of the sets equal the counted ones") {
  for (const SetIndex index : {SetIndex::modulo, SetIndex::hashed}) {
    for (const std::uint64_t first_line : {kBase / 128, kBase / 128 + 17}) {
      for (const std::uint64_t lines_apart : {1, 2, 3, 6, 32, 33}) {
        for (const std::uint64_t nodes : {1, 31, 32, 33, 1000}) {
          const Cache cache{
              .name = "", .size_bytes = 32 * 4 * 128, .line_bytes = 128, .sector_bytes = 128, .ways = 4, .index = index};
          std::vector<std::uint64_t> in_set(32);
          for (std::uint64_t node = 0; node < nodes; ++node) ++in_set[set_of(first_line + node * lines_apart, 32, index)];
          CAPTURE(lines_apart);
          CAPTURE(nodes);
          double total = 0;
          for (const auto& load : set_loads(cache, first_line * 128, lines_apart * 128, nodes)) {
            double share = 0;
            for (const std::uint64_t lines : in_set) {
              if (lines == load.lines) share += static_cast<double>(lines) / static_cast<double>(nodes);
            }
            CHECK(load.share == doctest::Approx(share).epsilon(1e-12));
            total += load.share;
          }
          CHECK(total == doctest::Approx(1).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("sim chase: no closed form if the order of accesses matters, or if a node has several lines by chance") {
  Model model = examples::small();
  model.caches[0].replacement = Replacement::random;
  CHECK(by_formula(model, dense(64)));
  model.caches[1].size_bytes = 8 * kKiB;
  CHECK_FALSE(by_formula(model, dense(66)));
  CHECK(by_formula(model, dense(4096)));  // the first cache misses all
  model = examples::small();
  model.caches[0].sector_bytes = 128;
  model.caches[1].line_bytes = 32;
  CHECK(by_formula(model, dense(1000)));
  model.caches[1].replacement = Replacement::random;
  CHECK_FALSE(by_formula(model, dense(1000)));
  model.caches[1].replacement = Replacement::lru;
  CHECK_FALSE(by_formula(model, dense(1000, 256)));
}

TEST_CASE("sim chase: nodes that share a sector miss once, other nodes of a line miss each") {
  const Model model = examples::small();
  // Sequential: the first of a sector's nodes (32 B) fetches it for the others.
  CHECK(cost(model, dense(std::uint64_t{1} << 20, 8, 1, ChainOrder::sequential)) ==
        doctest::Approx((600 + 3 * 30) / 4.0).epsilon(1e-9));
  // Groups of a line's sectors: each its own miss.
  CHECK(cost(model, dense(1 << 14, 32, 4)) == doctest::Approx(600).epsilon(1e-9));
  // Pairs 16 B apart in blocks of 4 KiB are in one sector, so that the second hits; 64 B apart it
  // does not.
  for (const auto& [apart, cycles] : {std::pair{16, (600 + 30) / 2.0}, std::pair{64, 600.0}}) {
    PlacedWalk pairs = dense(4096, 16, 2);
    pairs.image.layout.stride_bytes = static_cast<std::uint64_t>(apart);
    pairs.image.layout.columns = 2;
    pairs.image.layout.row_stride_bytes = 4096 + 128;
    CHECK(cost(model, pairs) == doctest::Approx(cycles).epsilon(1e-9));
  }
}

TEST_CASE("sim chase: random revisits of a line hit as the spacing of random points on a circle predicts") {
  Model model = examples::small();
  model.caches.erase(model.caches.begin());
  model.paths[0].hops = {examples::hop(0, 200)};
  model.caches[0].sector_bytes = 128;
  // 64 KiB of lines, four nodes per line, M lines walked: hits are 1 - (1 - C/M)^(3/4).
  for (const std::uint64_t nodes : {8 * 512, 32 * 512, 64 * 512}) {
    const double held = 512.0 / (static_cast<double>(nodes) / 4);
    const double hits = 1 - std::pow(1 - held, 0.75);
    CHECK(cost(model, dense(nodes, 32)) == doctest::Approx(600 - hits * 400).epsilon(0.02));
  }
}

TEST_CASE("sim chase: a small copy of a long chase costs as much as the whole") {
  Model model = examples::small();
  model.caches[0].size_bytes = 16 * kKiB;
  model.caches[1].size_bytes = 2 * kMiB;
  // 128 KiB in groups of 8 KiB against 16 KiB: only loads within a group hit. Twelve times the
  // fully walked size.
  const std::uint64_t nodes = 12 * 65536;
  CHECK(cost(model, dense(nodes, 8, 1024)) == doctest::Approx((600 + 3 * 30) / 4.0).epsilon(0.001));
  // Rows that all lie in one set of the second level keep doing so.
  PlacedWalk rows = dense(2 * 65536, 128, 1);
  rows.image.layout = {.stride_bytes = 128, .columns = 2, .row_stride_bytes = 128 * kKiB, .pointers = true};
  CHECK(cost(model, rows) == 600);
  // The more so if no smaller number of sets keeps them there.
  model.caches[1].ways = 16;
  model.caches[1].size_bytes = std::uint64_t{49153} * 16 * 128;
  rows.image.layout.row_stride_bytes = std::uint64_t{49153} * 128;
  CHECK(cost(model, rows) == 600);
  // 512 KiB in groups of 128 KiB: half of it would fit if the whole does not, half the cache would
  // not hold two groups.
  model.caches[1].size_bytes = 384 * kKiB;
  model.paths[0].hops.erase(model.paths[0].hops.begin());
  CHECK(cost(model, dense(131072, 4, 32768)) == doctest::Approx((600 + 7 * 200) / 8.0).epsilon(0.02));
}

TEST_CASE("sim chase: nodes use the same share of sets in a small copy as in the whole cache") {
  Model model = examples::small();
  // A first level that still serves a few loads by chance needs the simulation. Nodes of four lines
  // use every fourth of 384 sets, which hold 3072 of them; all of 337 sets would hold more.
  model.caches[0].size_bytes = 128 * kKiB;
  model.caches[0].replacement = Replacement::random;
  model.caches[1] = {.name = "L2", .size_bytes = 384 * kKiB, .line_bytes = 32, .sector_bytes = 32, .ways = 32};
  for (const std::uint64_t nodes : {4500, 4663, 6000}) {
    CAPTURE(nodes);
    CHECK(cost(model, dense(nodes)) > 570);
  }
  // A hash uses all sets for two lines per node, half of which overflow here; of 248 sets without a
  // hash half would be used.
  model.caches[0].size_bytes = 512 * kKiB;
  model.caches[1] = {
      .name = "L2", .size_bytes = 1024 * kKiB, .line_bytes = 64, .sector_bytes = 64, .ways = 16, .index = SetIndex::hashed};
  CHECK(cost(model, dense(16900)) < 500);
}

TEST_CASE("sim chase: a small copy of a chase over blocks keeps the number of blocks") {
  Model model = examples::small();
  // 6 MiB of 48 ways: blocks of 128 KiB, of which 48 fit. The hashed first level needs the
  // simulation.
  model.caches[0].index = SetIndex::hashed;
  model.caches[1] = {.name = "L2", .size_bytes = 6 * kMiB, .line_bytes = 32, .sector_bytes = 32, .ways = 48};
  const auto blocks = [](std::uint64_t count) {
    return PlacedWalk{{},
                      MemoryPath::global,
                      kBase,
                      {Chain(count * 4096, ChainOrder::random, 3, 4096),
                       ChainLayout{.stride_bytes = 32, .columns = 4096, .row_stride_bytes = 128 * kKiB, .pointers = true}}};
  };
  CHECK(cost(model, blocks(48)) == 200);
  CHECK(cost(model, blocks(49)) == 600);
  // Rows too short to shrink: 49 lines per used set, half a page apart.
  const PlacedWalk pairs{{},
                         MemoryPath::global,
                         kBase,
                         {Chain(std::uint64_t{1} << 18, ChainOrder::random, 3, 2),
                          ChainLayout{.stride_bytes = 32, .columns = 2, .row_stride_bytes = 2048, .pointers = true}}};
  CHECK(cost(model, pairs) == 600);
}

TEST_CASE("sim chase: a TLB counts the pages of rows within a stride and of blocks with gaps") {
  Model model = examples::small();
  model.tlbs = {{.name = "first", .page_bytes = 64 * kKiB, .reach_bytes = 16 * 64 * kKiB, .penalty_cycles = 50}};
  model.caches[0].index = model.caches[1].index = SetIndex::hashed;
  // So many nodes that a small copy is walked, each in another page than the one before.
  const auto rows = [](std::uint64_t columns, std::uint64_t step) {
    return PlacedWalk{{},
                      MemoryPath::global,
                      kBase,
                      {Chain(columns * (step / 4), ChainOrder::sequential, 3),
                       ChainLayout{.stride_bytes = step, .columns = columns, .row_stride_bytes = 4, .pointers = false}}};
  };
  CHECK(cost(model, rows(17, 64 * kKiB)) - cost(model, rows(16, 64 * kKiB)) == doctest::Approx(50).epsilon(0.05));
  CHECK(cost(model, rows(34, 32 * kKiB)) - cost(model, rows(32, 32 * kKiB)) == doctest::Approx(25).epsilon(0.05));
  // 24 blocks of 32 KiB, each in its own page although they span twice as many pages.
  const auto blocks = [](std::uint64_t count) {
    return PlacedWalk{{},
                      MemoryPath::global,
                      kBase,
                      {Chain(count * 8192, ChainOrder::random, 3, 8192),
                       ChainLayout{.stride_bytes = 4, .columns = 8192, .row_stride_bytes = 128 * kKiB, .pointers = false}}};
  };
  Model untranslated = model;
  untranslated.tlbs.clear();
  CHECK(cost(model, blocks(16)) == cost(untranslated, blocks(16)));
  CHECK(cost(model, blocks(24)) > cost(untranslated, blocks(24)));
}

TEST_CASE("sim chase: each page beyond a TLB's reach adds its penalty") {
  Model model = examples::small();
  model.tlbs = {{.name = "first", .page_bytes = 64 * kKiB, .reach_bytes = 16 * 64 * kKiB, .penalty_cycles = 50},
                {.name = "second", .page_bytes = 64 * kKiB, .reach_bytes = 64 * 64 * kKiB, .penalty_cycles = 100}};
  const auto pages = [&](std::uint64_t count) { return cost(model, dense(count, 64 * kKiB + 128)); };
  CHECK(pages(17) == 30);  // all in the first cache: nothing is translated
  model.tlb_before_caches = true;
  CHECK(pages(16) == 30);
  CHECK(pages(17) == 80);
  CHECK(pages(64) == 250);
  CHECK(pages(65) == 350);
  // Random visits: a page is held with about the share of the reach, load by load too.
  const std::uint64_t nodes = 2 * kMiB / 128;
  const double found = cost(model, dense(nodes));
  CHECK(found == doctest::Approx(600 + 50 * 0.5).epsilon(0.002));
  CacheContents caches(model);
  double cycles = 0;
  for (std::uint64_t step = 0; step < 3 * nodes; ++step) {
    const double load = caches.load({}, path_taken(model, MemoryPath::global), dense(nodes).address(step), 8).cycles;
    if (step >= nodes) cycles += load / static_cast<double>(2 * nodes);
  }
  CHECK(found == doctest::Approx(cycles).epsilon(0.002));
  CHECK(cost(model, dense(nodes, 128, 128)) == doctest::Approx(600 + 50 * 0.5 / 128).epsilon(0.002));
  CHECK_FALSE(by_formula(model, dense(nodes, 128, 1024)));  // groups of two pages
  Model untranslated = model;
  untranslated.tlbs.clear();
  const PlacedWalk half_lines = dense(2 * nodes, 64);  // a small copy with translation by formula
  CHECK(cost(model, half_lines) - cost(untranslated, half_lines) == doctest::Approx(50 * 0.5).epsilon(0.002));
  CHECK(cost(model, dense(nodes, 128, 1, ChainOrder::sequential)) == doctest::Approx(600 + 50 / 512.0).epsilon(1e-9));
}

TEST_CASE("sim chase: simultaneous chases share the caches that they have in common") {
  Model model = examples::small();
  model.caches[0].copies = 2;
  const auto together = [&](std::uint32_t other_subgroup, std::uint64_t nodes) {
    PlacedWalk a = dense(nodes);
    PlacedWalk b = dense(nodes);
    b.actor.subgroup = other_subgroup;
    b.base += 2 * kMiB;
    return simulate_chases(model, std::vector{a, b});
  };
  CHECK(together(1, 32) == std::vector<double>{30, 30});
  CHECK(together(2, 32) == std::vector<double>{200, 200});
  CHECK(together(2, 16) == std::vector<double>{30, 30});
  CHECK(together(1, 300) == std::vector<double>{600, 600});  // the second level is one for both
}

}  // namespace
}  // namespace percycle::sim::sim_chase_test
