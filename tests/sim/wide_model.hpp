#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/model.hpp"
#include "sim/model_draw.hpp"

namespace percycle::simtest {

/// A random model of classes that random_model() lacks: one to four close caches, lines up to
/// 256 B, two page sizes, cheap second TLB misses, translation of every load. Some are mobile-like
/// (no unit clock, timers of 1 us), some CPU-like (64 B lines, noise that only slows down).
inline sim::Model wide_model(std::uint64_t seed) {
  ModelDraw draw(seed * 15485863 + 11);
  constexpr std::uint64_t kKib = 1024;
  constexpr std::uint64_t kMib = kKib * kKib;
  constexpr double kApart = 2.2;

  sim::Model model;
  model.name = fmt::format("wide {}", seed);
  model.vendor = "nobody";
  model.units = draw.one_of(1u, 2u, 4u, 7u, 16u);
  model.subgroup_size = draw.one_of(8u, 16u, 32u, 64u);
  model.memory_bytes = draw.one_of(std::uint64_t{2}, std::uint64_t{6}, std::uint64_t{8}, std::uint64_t{16}) << 30;
  model.local = {32 * kKib, 25, 32, 4};
  model.clock.mhz = std::round(draw.between(400, 2500));
  const bool mobile = seed % 5 == 1;
  const bool like_cpu = seed % 5 == 3;
  if (!mobile && !like_cpu) model.unit_clock = sim::UnitClock{};
  if (mobile) {
    model.memory_bytes = std::uint64_t{2} << 30;
    model.timer.resolution_ns = 1000;
  }
  model.noise.gaussian = like_cpu ? 0.003 : draw.one_of(0.0, 0.0, 0.01, 0.03);
  model.noise.outlier_share = like_cpu ? 0.05 : model.noise.gaussian > 0 ? 0.002 : 0.0;
  model.noise.outlier_factor = like_cpu ? 1.5 : 3;

  sim::Path global{MemoryPath::global, {}, 0};
  double size = 4096 * std::exp2(draw.between(0, 6));
  double latency = draw.between(4, 120);
  std::uint64_t sector = 0;
  double nodes = 0;  // nodes that the level before holds
  const std::size_t levels = 1 + draw() % 4;
  for (std::size_t i = 0; i < levels; ++i) {
    sim::Cache cache;
    cache.name = fmt::format("C{}", i + 1);
    cache.line_bytes =
        like_cpu ? 64
                 : draw.one_of(std::uint64_t{32}, std::uint64_t{64}, std::uint64_t{128}, std::uint64_t{128}, std::uint64_t{256});
    cache.sector_bytes = like_cpu ? 64 : std::max<std::uint64_t>(cache.line_bytes >> (draw() % 3), 16);
    cache.line_bytes = std::max(cache.line_bytes, sector);
    cache.sector_bytes = std::max(cache.sector_bytes, sector);
    sector = cache.sector_bytes;
    cache.replacement = draw.one_of(sim::Replacement::lru, sim::Replacement::lru, sim::Replacement::pseudo_lru,
                                    sim::Replacement::random, sim::Replacement::not_mru);
    cache.index = draw() % 4 == 0 ? sim::SetIndex::hashed : sim::SetIndex::modulo;
    const bool free_ways = cache.replacement == sim::Replacement::lru || cache.replacement == sim::Replacement::random;
    cache.ways = draw.one_of(2u, 4u, 8u, 16u, 32u, 64u);
    if (free_ways && cache.index == sim::SetIndex::modulo) cache.ways = draw.one_of(2u, 3u, 5u, 8u, 12u, 16u, 20u, 36u, 96u);
    const double lines = size / static_cast<double>(cache.line_bytes * cache.ways);
    std::uint64_t sets = std::max<std::uint64_t>(1, std::bit_floor(static_cast<std::uint64_t>(lines)));
    if (cache.index == sim::SetIndex::modulo && sets >= 8 && draw() % 3 == 0) sets = sets / 8 * draw.one_of(9u, 10u, 12u, 14u);
    // A walk with one node per 128 bytes must outgrow the level before, or it shows both as one.
    do {
      cache.size_bytes = sets * cache.ways * cache.line_bytes;
      sets *= 2;
    } while (static_cast<double>(cache.size_bytes) < 0.7 * size || walk_nodes(cache) < kApart * nodes);
    nodes = walk_nodes(cache);
    cache.scope = i == 0 ? sim::Scope::unit : sim::Scope::device;
    if (i == 0) cache.copies = draw.one_of(1u, 1u, 2u, 4u);
    global.hops.push_back({model.caches.size(), std::round(latency), std::nullopt, 0});
    model.caches.push_back(cache);
    size = static_cast<double>(cache.size_bytes) * draw.between(2.2, i == 0 ? 40 : 12);
    latency += std::max(6.0, 0.2 * latency) * draw.between(1, 4);
    if (size > 200.0 * kMib) break;
  }
  global.memory_latency_cycles = std::round(latency);
  sim::Path texture = global;
  texture.path = MemoryPath::texture;
  for (auto& hop : texture.hops) hop.latency_cycles += 25;
  texture.memory_latency_cycles += 25;
  model.paths = {global, texture};

  const std::uint64_t page = like_cpu ? 4 * kKib : draw.one_of(4 * kKib, 16 * kKib, 64 * kKib, 64 * kKib, 2 * kMib, 2 * kMib);
  const std::uint64_t entries = draw.one_of(std::uint64_t{16}, std::uint64_t{20}, std::uint64_t{24}, std::uint64_t{32},
                                            std::uint64_t{48}, std::uint64_t{64});
  if (draw() % 8 != 0) {
    model.tlbs.push_back({"first", page, page * entries, std::round(draw.between(0.1, 0.8) * latency), 1});
    if (draw() % 2 == 0) {
      const std::uint64_t second_page = page * draw.one_of(std::uint64_t{1}, std::uint64_t{1}, std::uint64_t{8});
      model.tlbs.push_back({"second", second_page, page * entries * 16, std::round(draw.between(0.1, 0.8) * latency), 0});
    }
  }
  std::erase_if(model.tlbs, [&](const sim::TlbModel& tlb) { return tlb.reach_bytes * 3 > model.memory_bytes; });
  model.tlb_before_caches = draw() % 4 == 0;
  model.text_hash = "0";
  return model;
}

}  // namespace percycle::simtest
