#pragma once

#include <cmath>

#include "sim/model_draw.hpp"
#include "sim/random_model.hpp"
#include "sim/wide_model.hpp"

namespace percycle::simtest {

/// A random model, and whether it has an effect that can hide figures from every chase: random
/// pages, an exclusive level, a prefetcher, neighbours or bursts.
struct DrawnModel {
  sim::Model model;
  bool hard = false;
};

/// Draws one effect that can hide figures. Returns false if the model has no place for it.
inline bool draw_hard_effect(sim::Model& model, ModelDraw& draw) {
  const auto& hops = model.path(MemoryPath::global)->hops;
  sim::Cache& last = model.caches[hops.back().cache];
  sim::Cache& first = model.caches[hops.front().cache];
  switch (draw() % 5) {
    case 0:
      if (hops.size() < 2) return false;
      model.pages = {.page_bytes = draw.one_of(4u, 16u, 64u, 64u, 2048u) * std::uint64_t{1024}, .seed = draw()};
      for (std::size_t i = 1; i < hops.size(); ++i) model.caches[hops[i].cache].physical = true;
      return true;
    case 1: {
      if (hops.size() < 2) return false;
      sim::Cache& before = model.caches[hops[hops.size() - 2].cache];
      if (before.line_bytes != last.line_bytes) return false;
      before.sector_bytes = last.sector_bytes = last.line_bytes;
      last.inclusion = sim::Inclusion::exclusive;
      return true;
    }
    case 2:
      (draw() % 3 == 0 ? first : last).prefetch = draw.one_of(sim::Prefetch::next, sim::Prefetch::adjacent);
      return true;
    case 3:
      if (hops.size() < 2) return false;
      last.foreign_share = draw.between(0.01, 0.2);
      return true;
    default:
      model.noise.burst_share = draw.between(0.05, 0.3);
      model.noise.burst_dispatches = draw.one_of(6u, 12u, 40u);
      model.noise.burst_factor = draw.between(1.1, 2);
      return true;
  }
}

/// Draws effects that leave all figures to be found, each with some probability.
inline void draw_effects(sim::Model& model, ModelDraw& draw) {
  sim::Path& global = model.paths.front();
  sim::Cache& last = model.caches[global.hops.back().cache];
  // Few sets to a slice would overflow long before the cache is full.
  constexpr std::uint64_t kLeastSlice = std::uint64_t{256} << 10;
  constexpr std::uint64_t kMostSlice = std::uint64_t{24} << 20;
  if (draw() % 8 == 0 && last.size_bytes >= kLeastSlice && last.size_bytes < kMostSlice) {
    last.slices = draw.one_of(3u, 5u, 6u, 10u);
    last.size_bytes *= last.slices;
  }
  if (draw() % 8 == 0 && global.hops.size() > 1) {
    auto& hop = global.hops.back();
    hop.far_lines_cycles =
        std::round(hop.latency_cycles + draw.between(0.2, 0.8) * (global.memory_latency_cycles - hop.latency_cycles));
  }
  if (draw() % 8 == 0)
    model.dram = {.row_bytes = 2048, .banks = draw.one_of(16u, 64u, 256u), .row_cycles = std::round(draw.between(20, 90))};
  for (auto& tlb : model.tlbs) {
    const std::uint64_t entries = tlb.reach_bytes / tlb.page_bytes;
    if (draw() % 8 == 0 && entries % 4 == 0) tlb.ways = 4;
  }
}

/// A scalar path like that of AMD's GPUs: a first cache of its own that four units share.
inline void add_scalar_path(sim::Model& model, ModelDraw& draw) {
  const sim::Path& global = *model.path(MemoryPath::global);
  sim::Cache first;
  first.name = "scalar";
  first.size_bytes = draw.one_of(8u, 16u, 16u, 32u) * std::uint64_t{1024};
  first.line_bytes = first.sector_bytes = 64;
  first.ways = 4;
  first.scope = sim::Scope::cluster;
  first.cluster_units = 4;
  sim::Path scalar = global;
  scalar.path = MemoryPath::scalar;
  for (auto& hop : scalar.hops) {
    hop.latency_cycles = std::round(0.9 * hop.latency_cycles);
    hop.far_lines_cycles.reset();
  }
  scalar.memory_latency_cycles = std::round(0.95 * global.memory_latency_cycles);
  scalar.hops.front() = {model.caches.size(), std::round(0.5 * global.hops.front().latency_cycles), std::nullopt, 0};
  // Its cache must be outgrown by the next one.
  if (scalar.hops.size() > 1 && model.caches[scalar.hops[1].cache].size_bytes < 3 * first.size_bytes) return;
  model.vendor = "AMD";
  model.caches.push_back(first);
  model.paths.push_back(scalar);
}

/// The model with this seed of those that measure how often analysis is right and how much it says.
/// Every third one is hard.
inline DrawnModel drawn_model(std::uint64_t seed) {
  DrawnModel drawn{seed % 4 == 3 ? random_model(seed) : wide_model(seed), false};
  sim::Model& model = drawn.model;
  ModelDraw draw(seed * 32452843 + 29);
  model.name = fmt::format("drawn {}", seed);
  model.noise.seed = seed;
  if (model.noise.outlier_factor == 3) {
    model.noise.gaussian = draw.one_of(0.0, 0.0, 0.01, 0.02, 0.05);
    model.noise.outlier_share = model.noise.gaussian > 0 ? 0.002 : 0.0;
  }
  draw_effects(model, draw);
  if (draw() % 6 == 0) add_scalar_path(model, draw);
  while (seed % 3 == 0 && !drawn.hard) drawn.hard = draw_hard_effect(model, draw);
  return drawn;
}

}  // namespace percycle::simtest
