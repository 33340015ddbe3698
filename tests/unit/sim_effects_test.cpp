#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "sim/cache_contents.hpp"
#include "sim/cache_state.hpp"
#include "sim/chase_costs.hpp"
#include "sim/dram_state.hpp"
#include "sim/noise_source.hpp"
#include "sim/page_frames.hpp"
#include "sim_examples.hpp"

// Effects that only some devices have: in the caches load by load, and in chases.

namespace percycle::sim::sim_effects_test {
namespace {

constexpr std::uint64_t kBase = std::uint64_t{1} << 32;
constexpr std::uint64_t kPage = 4096;

PlacedWalk dense(std::uint64_t nodes, ChainOrder order = ChainOrder::random, std::uint64_t stride = 128) {
  return {{}, MemoryPath::global, kBase, {Chain(nodes, order, 3), ChainLayout{.stride_bytes = stride, .pointers = true}}};
}

double cost(const Model& model, const PlacedWalk& walk) { return ChaseCosts(model).averages({walk}).front(); }

const Path& global(const Model& model) { return path_taken(model, MemoryPath::global); }

/// The latency of 4 bytes at the start of a line.
double line(CacheContents& caches, const Model& model, std::uint64_t number, std::uint32_t unit = 0) {
  return caches.load({.unit = unit, .subgroup = 0}, global(model), number * 128, 4).cycles;
}

/// Both levels with 32 sets and without sectors: 4 ways in front of 16.
Model equal_sets() {
  Model model = examples::small();
  model.caches[0].size_bytes = 16 * kKiB;
  model.caches[0].sector_bytes = model.caches[1].sector_bytes = 128;
  return model;
}

/// The second level alone, of four pages of 4 KiB by 4 ways.
Model scattered() {
  Model model = examples::small();
  model.caches[1].physical = true;
  model.caches[1].ways = 4;
  model.pages = {.page_bytes = kPage, .seed = 5};
  return model;
}

TEST_CASE("sim pages: each page has its own frame, and bytes keep their place in it") {
  const PageFrames frames({.page_bytes = kPage, .seed = 5}, 64 * kPage);
  std::set<std::uint64_t> taken;
  for (std::uint64_t page = 0; page < 64; ++page) {
    const std::uint64_t frame = frames.physical(page * kPage);
    CHECK(frame % kPage == 0);
    CHECK(frame < 64 * kPage);
    CHECK(frames.physical(page * kPage + 123) == frame + 123);
    taken.insert(frame);
  }
  CHECK(taken.size() == 64);
  CHECK(frames.physical(64 * kPage) == frames.physical(0));
  CHECK(PageFrames({.page_bytes = kPage, .seed = 6}, 64 * kPage).physical(0) != frames.physical(0));
}

/// The cycles of a chase over so many pages if each of 4 colours holds 4 pages.
double cycles_of_colours(const Model& model, std::uint64_t pages, std::uint64_t page_bytes) {
  const PageFrames frames(*model.pages, model.memory_bytes);
  std::map<std::uint64_t, std::uint64_t> of_colour;
  for (std::uint64_t page = 0; page < pages; ++page) ++of_colour[frames.physical(kBase + page * page_bytes) / page_bytes % 4];
  std::uint64_t held = 0;
  for (const auto& [colour, count] : of_colour) held += count <= 4 ? count : 0;
  return (static_cast<double>(held) * 200 + static_cast<double>(pages - held) * 600) / static_cast<double>(pages);
}

TEST_CASE("sim pages: a chase misses in the colours that have more pages than ways") {
  const Model model = scattered();
  std::set<double> costs;
  for (const std::uint64_t pages : {4, 8, 10, 12, 14, 16, 18, 20, 32}) {
    CAPTURE(pages);
    CHECK(cost(model, dense(pages * 32)) == doctest::Approx(cycles_of_colours(model, pages, kPage)).epsilon(1e-12));
    costs.insert(cost(model, dense(pages * 32)));
  }
  CHECK(costs.size() > 3);
  Model contiguous = model;
  contiguous.caches[1].physical = false;
  CHECK(cost(contiguous, dense(16 * 32)) == 200);
}

TEST_CASE("sim pages: a small copy of a long chase keeps the pages of each colour") {
  Model model = scattered();
  model.pages->page_bytes = kMiB;
  model.caches[1].size_bytes = 16 * kMiB;
  for (const std::uint64_t pages : {10, 12, 14, 16, 18}) {
    CAPTURE(pages);
    CHECK(cost(model, dense(pages * 8192)) == doctest::Approx(cycles_of_colours(model, pages, kMiB)).epsilon(1e-12));
  }
}

TEST_CASE("sim exclusive: a hit moves the line to the cache before, an eviction brings it back") {
  Model model = equal_sets();
  model.caches[1].inclusion = Inclusion::exclusive;
  CacheContents caches(model);
  CHECK(line(caches, model, 0) == 600);
  CHECK(line(caches, model, 0, 1) == 600);  // another unit: the line is in the first one's L1 alone
  for (const std::uint64_t number : {32, 64, 96, 128}) CHECK(line(caches, model, number) == 600);
  CHECK(line(caches, model, 0) == 200);
  CHECK(line(caches, model, 0) == 30);
  CHECK(line(caches, model, 0, 2) == 600);
}

TEST_CASE("sim exclusive: a chase sees the sum of both sizes") {
  Model model = equal_sets();
  CHECK(cost(model, dense(641)) > 600 - 1e-9);
  model.caches[1].inclusion = Inclusion::exclusive;
  CHECK(cost(model, dense(128)) == 30);
  CHECK(cost(model, dense(640)) == 200);
  CHECK(cost(model, dense(641)) == doctest::Approx((21 * 600 + 620 * 200) / 641.0).epsilon(1e-12));
}

TEST_CASE("sim exclusive: victims go down through several exclusive caches") {
  Model model = equal_sets();
  model.caches.push_back(model.caches[1]);
  model.caches[1].inclusion = model.caches[2].inclusion = Inclusion::exclusive;
  model.paths[0].hops.push_back(examples::hop(2, 300));
  CHECK(cost(model, dense(640)) == 200);
  CHECK(cost(model, dense(36 * 32)) == 300);
  CHECK(cost(model, dense(37 * 32)) == 600);
}

TEST_CASE("sim inclusive: a line that the cache evicts leaves the caches of all units") {
  Model model = equal_sets();
  model.caches[1].ways = 1;
  model.caches[1].size_bytes = 4 * kKiB;
  for (const Inclusion inclusion : {Inclusion::independent, Inclusion::inclusive}) {
    model.caches[1].inclusion = inclusion;
    CacheContents caches(model);
    line(caches, model, 0);
    line(caches, model, 0, 1);
    line(caches, model, 32, 1);
    const double again = inclusion == Inclusion::inclusive ? 600 : 30;
    CHECK(line(caches, model, 0, 1) == again);
    CHECK(line(caches, model, 0) == (inclusion == Inclusion::inclusive ? 200 : 30));
  }
}

TEST_CASE("sim prefetch: a miss fetches the next line or the other one of the pair") {
  Model model = equal_sets();
  for (const std::size_t level : {std::size_t{0}, std::size_t{1}}) {
    CAPTURE(level);
    const double hit = level == 0 ? 30 : 200;
    model.caches[level].prefetch = Prefetch::next;
    CacheContents next(model);
    CHECK(line(next, model, 7) == 600);
    CHECK(line(next, model, 8) == hit);
    CHECK(line(next, model, 6) == 600);
    CHECK(line(next, model, 9) == 600);  // the hit fetched nothing
    model.caches[level].prefetch = Prefetch::adjacent;
    CacheContents adjacent(model);
    CHECK(line(adjacent, model, 7) == 600);
    CHECK(line(adjacent, model, 8) == 600);
    CHECK(line(adjacent, model, 6) == hit);
    CHECK(line(adjacent, model, 9) == hit);
    model.caches[level].prefetch = Prefetch::none;
  }
}

TEST_CASE("sim prefetch: a sequential chase hits every second line") {
  Model model = equal_sets();
  model.caches[1].prefetch = Prefetch::next;
  CHECK(cost(model, dense(4096, ChainOrder::sequential)) == 400);
  CHECK(cost(model, dense(std::uint64_t{1} << 20, ChainOrder::sequential)) == 400);
  model.caches[1].prefetch = Prefetch::none;
  CHECK(cost(model, dense(4096, ChainOrder::sequential)) == 600);
}

TEST_CASE("sim slices: consecutive lines lie in as many slices, in an order that changes") {
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint64_t block = 0; block < 32; ++block) {
    std::vector<std::uint64_t> order;
    for (std::uint64_t i = 0; i < 5; ++i) order.push_back(slice_of(block * 5 + i, 5));
    orders.insert(order);
    std::sort(order.begin(), order.end());
    CHECK(order == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  }
  CHECK(orders.size() == 5);
}

TEST_CASE("sim slices: a cache of five slices holds its size, and one line more overflows one set") {
  Model model = equal_sets();
  model.caches[1].size_bytes = 40 * 16 * 128;
  model.caches[1].slices = 5;
  // From a multiple of the slices on.
  const auto from_zero = [](PlacedWalk walk) {
    walk.base = 0;
    return walk;
  };
  CHECK(cost(model, from_zero(dense(640))) == 200);
  CHECK(cost(model, from_zero(dense(641))) == doctest::Approx((17 * 600 + 624 * 200) / 641.0).epsilon(1e-12));
  // A small copy keeps the slices.
  model.caches[1].size_bytes = std::uint64_t{5} * 2048 * 16 * 128;
  CHECK(cost(model, from_zero(dense(5 * 2048 * 16))) == 200);
}

TEST_CASE("sim neighbours: their lines take places") {
  Cache cache{.name = "cache", .size_bytes = 256, .ways = 2};
  for (const double share : {0.0, 1.0}) {
    cache.foreign_share = share;
    CacheState state(cache, 1);
    CHECK_FALSE(state.load(0, 4));
    CHECK(state.load(0, 4));
    CHECK_FALSE(state.load(128, 4));
    CHECK(state.load(0, 4) == (share == 0));
  }
}

TEST_CASE("sim far lines: lines with an odd count of one bits are slower") {
  Model model = equal_sets();
  model.paths[0].hops = {examples::hop(1, 210)};
  model.paths[0].hops[0].far_lines_cycles = 290;
  CacheContents caches(model);
  for (std::uint64_t number = 0; number < 4; ++number) line(caches, model, number);
  CHECK(line(caches, model, 0) == 210);
  CHECK(line(caches, model, 1) == 290);
  CHECK(line(caches, model, 2) == 290);
  CHECK(line(caches, model, 3) == 210);
  CHECK(cost(model, dense(512)) == 250);
}

TEST_CASE("sim tlb: a chase misses in the sets of a TLB that overflow, in a small copy too") {
  Model model = examples::small();
  model.caches.erase(model.caches.begin());
  model.paths[0].hops = {examples::hop(0, 200)};
  model.tlb_before_caches = true;
  model.tlbs = {{.name = "TLB", .page_bytes = kPage, .reach_bytes = 8 * kPage, .penalty_cycles = 50, .ways = 2}};
  CHECK(cost(model, dense(8, ChainOrder::random, kPage + 128)) == 200);
  CHECK(cost(model, dense(9, ChainOrder::random, kPage + 128)) == doctest::Approx(200 + 50 * 3 / 9.0).epsilon(1e-12));
  model.tlbs[0].page_bytes = kMiB;
  model.tlbs[0].reach_bytes = 16 * kMiB;
  CHECK(cost(model, dense(16 * 8192, ChainOrder::sequential)) == 600);
  // 17 pages: the three of one set miss at their first line.
  CHECK(cost(model, dense(17 * 8192, ChainOrder::sequential)) == doctest::Approx(600 + 50 * 3 / (17 * 8192.0)).epsilon(1e-3));
}

TEST_CASE("sim dram: a row that is not open takes longer") {
  DramState dram({.row_bytes = 1024, .banks = 2, .row_cycles = 60});
  const std::vector<std::pair<std::uint64_t, double>> loads{{0, 60},    {1000, 0}, {1024, 60}, {0, 0},
                                                            {2048, 60}, {0, 60},   {1500, 0}};
  for (const auto& [address, cycles] : loads) CHECK(dram.open(address) == cycles);
  Model model = equal_sets();
  model.dram = {.row_bytes = 1024, .banks = 2, .row_cycles = 64};
  CHECK(cost(model, dense(8192, ChainOrder::sequential)) == 600 + 64 / 8.0);
  CHECK(cost(model, dense(64)) == 30);
}

TEST_CASE("sim noise: all dispatches of a burst are slower by its factor") {
  Noise noise;
  noise.burst_share = 0.3;
  noise.burst_dispatches = 12;
  noise.burst_factor = 1.5;
  int bursts = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    const double first = NoiseSource(noise, run * 12).factor();
    CHECK((first == 1 || first == 1.5));
    for (std::uint64_t i = 1; i < 12; ++i) CHECK(NoiseSource(noise, run * 12 + i).factor() == first);
    bursts += first > 1 ? 1 : 0;
  }
  CHECK(bursts == 294);
}

}  // namespace
}  // namespace percycle::sim::sim_effects_test
