#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/model.hpp"
#include "sim/model_draw.hpp"

namespace percycle::simtest {

/// A random model: two or three caches on the global path, texture and constant paths, one or two
/// TLBs. Each cache is at least max(8 cycles, 15 %) slower than the one before. It holds at least
/// twice as many bytes and nodes of a walk; closer ones would look like one.
inline sim::Model random_model(std::uint64_t seed) {
  constexpr double kApart = 2;
  ModelDraw draw(seed * 7919 + 17);

  sim::Model model;
  model.name = fmt::format("random {}", seed);
  model.vendor = "nobody";
  model.units = 4;
  model.memory_bytes = std::uint64_t{8} << 30;
  model.local = {48 * 1024, 25, 32, 4};
  model.unit_clock = sim::UnitClock{};
  if (seed % 5 == 0) model.unit_clock.reset();
  model.clock.mhz = std::round(draw.between(600, 2000));

  double size = 8192 * std::exp2(draw.between(0, 4));  // size of the first level
  double least = 0;                                    // bytes and nodes that the level must hold
  double nodes = 0;
  double latency = draw.between(20, 120);
  const std::size_t levels = 2 + draw() % 2;
  sim::Path global{MemoryPath::global, {}, 0};
  std::uint64_t sector = 0;
  for (std::size_t i = 0; i < levels; ++i) {
    sim::Cache cache;
    cache.name = fmt::format("L{}", i + 1);
    cache.line_bytes = draw.one_of(std::uint64_t{32}, std::uint64_t{64}, std::uint64_t{128});
    cache.sector_bytes = std::max<std::uint64_t>(cache.line_bytes >> (draw() % 3), 16);
    // Fetches of the level before hide smaller ones.
    cache.line_bytes = std::max(cache.line_bytes, sector);
    cache.sector_bytes = std::max(cache.sector_bytes, sector);
    sector = cache.sector_bytes;
    cache.replacement = draw.one_of(sim::Replacement::lru, sim::Replacement::lru, sim::Replacement::lru,
                                    sim::Replacement::pseudo_lru, sim::Replacement::random, sim::Replacement::not_mru);
    const bool hashed = draw() % 4 == 0;
    cache.index = hashed ? sim::SetIndex::hashed : sim::SetIndex::modulo;
    cache.ways = draw.one_of(4u, 8u, 16u, 32u);
    if (cache.replacement == sim::Replacement::lru && !hashed) cache.ways = draw.one_of(2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 48u);
    // A power of two of sets; some with an odd factor.
    auto sets = std::bit_floor(static_cast<std::uint64_t>(size / static_cast<double>(cache.line_bytes * cache.ways)));
    sets = std::max<std::uint64_t>(sets, 4);
    if (!hashed && sets >= 8 && draw() % 4 == 0) sets = sets / 4 * 3 * 2;
    do {  // rounding made it smaller
      cache.size_bytes = sets * cache.ways * cache.line_bytes;
      sets *= 2;
    } while (static_cast<double>(cache.size_bytes) < least || walk_nodes(cache) < nodes);
    cache.scope = i == 0 ? sim::Scope::unit : sim::Scope::device;
    if (i == 0) cache.copies = draw.one_of(1u, 1u, 2u, 4u);
    global.hops.push_back({model.caches.size(), std::round(latency), std::nullopt, 0});
    model.caches.push_back(cache);
    size = std::max(size, static_cast<double>(cache.size_bytes)) * draw.between(kApart, 24);
    least = kApart * static_cast<double>(cache.size_bytes);
    nodes = kApart * walk_nodes(cache);
    latency += std::max(8.0, 0.15 * latency) * draw.between(1.05, 4);
  }
  global.memory_latency_cycles = std::round(latency);
  sim::Path texture = global;
  texture.path = MemoryPath::texture;
  for (auto& hop : texture.hops) hop.latency_cycles += 20;
  texture.memory_latency_cycles += 20;
  model.paths = {global, texture};
  sim::Cache constant;
  constant.name = "constant";
  constant.size_bytes = 4096;
  constant.line_bytes = constant.sector_bytes = 64;
  constant.ways = 4;
  constant.scope = sim::Scope::unit;
  model.caches.push_back(constant);
  sim::Path constants{MemoryPath::constant, {{model.caches.size() - 1, 30, std::nullopt, 0}}, 0};
  constants.hops.push_back({levels - 1, global.hops.back().latency_cycles, std::nullopt, 0});
  constants.hops.back().latency_cycles = std::max(constants.hops.back().latency_cycles, 60.0);
  constants.memory_latency_cycles = std::max(global.memory_latency_cycles, 80.0);
  model.paths.push_back(constants);

  const std::uint64_t page = draw.one_of(std::uint64_t{64} << 10, std::uint64_t{2} << 20);
  const std::uint64_t entries = page == std::uint64_t{64} << 10
                                    ? draw.one_of(std::uint64_t{32}, std::uint64_t{48}, std::uint64_t{64})
                                    : draw.one_of(std::uint64_t{12}, std::uint64_t{16}, std::uint64_t{32});
  model.tlbs.push_back({"L1", page, page * entries, std::round(draw.between(0.2, 0.6) * latency), 1});
  if (draw() % 2 == 0) model.tlbs.push_back({"L2", page, page * entries * 16, std::round(draw.between(0.3, 0.9) * latency), 0});
  std::erase_if(model.tlbs, [](const sim::TlbModel& tlb) { return tlb.reach_bytes > std::uint64_t{3} << 30; });
  model.text_hash = "0";
  return model;
}

/// A random model with 4 KiB pages and sets by address. The first TLB reaches 128 KiB to 512 KiB, a
/// possible second one 16 times as much. The L1 has at most half the reach.
inline sim::Model small_pages_model(std::uint64_t seed) {
  ModelDraw draw(seed * 104729 + 5);
  constexpr std::uint64_t kKib = 1024;
  const std::uint64_t reach =
      draw.one_of(std::uint64_t{128}, std::uint64_t{192}, std::uint64_t{256}, std::uint64_t{384}, std::uint64_t{512}) * kKib;

  sim::Model model;
  model.name = fmt::format("small pages {}", seed);
  model.vendor = "nobody";
  model.units = 4;
  model.memory_bytes = std::uint64_t{8} << 30;
  model.local = {48 * kKib, 25, 32, 4};
  model.unit_clock = sim::UnitClock{};
  model.clock.mhz = 1000;
  sim::Cache first;
  first.name = "L1";
  first.size_bytes = std::min(draw.one_of(16 * kKib, 32 * kKib, 64 * kKib, 128 * kKib), reach / 2) / (16 * kKib) * (16 * kKib);
  first.line_bytes = first.sector_bytes = draw.one_of(std::uint64_t{64}, std::uint64_t{128});
  first.ways = draw.one_of(4u, 8u, 16u, 64u);
  first.replacement = draw.one_of(sim::Replacement::lru, sim::Replacement::pseudo_lru);
  first.scope = sim::Scope::unit;
  sim::Cache second;
  second.name = "L2";
  second.size_bytes = draw.one_of(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4}, std::uint64_t{6}) << 20;
  second.line_bytes = second.sector_bytes = 128;
  second.ways = draw.one_of(8u, 16u);
  model.caches = {first, second};
  const double hit = std::round(draw.between(20, 100));
  const double second_hit = std::round(hit + std::max(8.0, 0.15 * hit) * draw.between(1.5, 6));
  const double miss = std::round(second_hit + std::max(8.0, 0.15 * second_hit) * draw.between(1.5, 6));
  model.paths = {{MemoryPath::global, {{0, hit, std::nullopt, 0}, {1, second_hit, std::nullopt, 0}}, miss}};
  model.tlbs.push_back({"L1 TLB", 4 * kKib, reach, std::round(draw.between(20, 200)), 1});
  if (draw() % 2 == 0) model.tlbs.push_back({"L2 TLB", 4 * kKib, 16 * reach, std::round(draw.between(20, 200)), 0});
  // A walk shows a reach and a cache as one if both end at one place.
  constexpr double kOnePlace = 1.5;
  std::erase_if(model.tlbs, [&](const sim::TlbModel& tlb) {
    return std::abs(std::log(static_cast<double>(tlb.reach_bytes) / static_cast<double>(second.size_bytes))) <
           std::log(kOnePlace);
  });
  model.text_hash = "0";
  return model;
}

}  // namespace percycle::simtest
