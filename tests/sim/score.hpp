#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "sim/model.hpp"
#include "sim/truth.hpp"

namespace percycle::simtest {

/// One figure that a hierarchy states of a simulated device, compared with the model.
struct Statement {
  std::string quantity;  ///< "size", "latency", "line", ...
  double confidence = 0;
  bool right = false;
  std::string text;  ///< path, figure and truth
  /// The fact of the model that it is about, for quantities that can state one fact twice.
  std::string fact{};
};

// A wider interval of a size is a range.
inline constexpr double kWidestInterval = 1.10;
// Rounding of bytes and of the fit.
inline constexpr double kSlack = 1.002;

inline bool holds(std::uint64_t low, std::uint64_t high, double truth) {
  const auto least = static_cast<double>(low);
  const auto most = static_cast<double>(high);
  return least <= truth * kSlack && most * kSlack >= truth;
}

/// The level of a model closest in size to a stated one. There must be one.
inline const TrueLevel& nearest(const std::vector<TrueLevel>& truth, std::uint64_t bytes) {
  const auto distance = [&](const TrueLevel& level) { return std::abs(std::log(level.size / static_cast<double>(bytes))); };
  return *std::min_element(truth.begin(), truth.end(),
                           [&](const TrueLevel& a, const TrueLevel& b) { return distance(a) < distance(b); });
}

/// Scores the levels of one path and the memory behind them.
inline void score_path(const sim::Model& model, const Hierarchy& hierarchy, const std::string& name, MemoryPath which,
                       std::vector<Statement>& all) {
  const sim::Path* path = model.path(which);
  if (path == nullptr) return;
  const auto truth = true_levels(model, which, INFINITY);
  const TrueLevel* last = nullptr;
  for (const auto& level : hierarchy.levels) {
    if (level.path != name) continue;
    const TrueLevel* const near = &nearest(truth, level.size_bytes);
    last = near;
    const auto say_with = [&](double confidence, const char* quantity, bool right, const std::string& text) {
      const bool range = quantity == std::string_view("size") && size_width(level) > kWidestInterval * kSlack;
      all.push_back({range ? "range" : quantity, confidence, right,
                     fmt::format("{} {} of {} bytes: {} {}", name, level.name, level.size_bytes, quantity, text),
                     fmt::format("{} {}", name, near - truth.data())});
    };
    say_with(level.confidence, "size", holds(level.size_low, level.size_high, near->size),
             fmt::format("{} to {}, truth {}", level.size_low, level.size_high, near->size));
    if (level.latency_cycles) {
      say_with(level.latency_confidence, "latency", same_latency(*level.latency_cycles, near->latency),
               fmt::format("{}, truth {}", *level.latency_cycles, near->latency));
    }
    // The parts of a cache have no separate lines. An inner level's fetch hides smaller ones.
    if (near->part) continue;
    const auto& cache = *near->cache;
    const std::uint64_t sector = std::max(near->sector, near->inner);
    const std::uint64_t line = std::max(cache.line_bytes, near->inner);
    const auto say_geometry = [&](double confidence, const char* quantity, std::uint64_t stated, std::uint64_t true_value) {
      say_with(confidence, quantity, stated == true_value, fmt::format("{}, truth {}", stated, true_value));
    };
    if (level.sector_bytes) say_geometry(level.sector_confidence, "sector", *level.sector_bytes, sector);
    if (level.line_bytes) say_geometry(level.line_confidence, "line", *level.line_bytes, line);
    if (level.ways) say_geometry(level.ways_confidence, "ways", *level.ways, cache.ways);
  }
  for (const auto& memory : hierarchy.memory) {
    if (memory.path != name || !memory.latency_cycles || !memory.reached) continue;
    // The memory behind the largest level. A sweep that ends before it has not reached the memory.
    // Its open rows answer sooner than the others.
    const double latency = path->memory_latency_cycles;
    const double slowest = latency + (model.dram ? model.dram->row_cycles : 0);
    const double stated = std::clamp(*memory.stated_cycles(), latency, slowest);
    all.push_back({"memory", memory.confidence, same_latency(*memory.stated_cycles(), stated),
                   fmt::format("{} memory {} behind {}, truth {}", name, *memory.stated_cycles(),
                               last == nullptr ? 0 : last->size, latency),
                   name});
  }
}

/// The kind of loads behind a path of an experiment; empty if it is not scored.
inline std::optional<MemoryPath> scored_path(const sim::Model& model, std::string_view name) {
  if (name == "global" || name == "global-index") return MemoryPath::global;
  if (name == "scalar") return model.path(MemoryPath::scalar) == nullptr ? MemoryPath::global : MemoryPath::scalar;
  if (name == "texture") return MemoryPath::texture;
  return std::nullopt;
}

inline void score_tlbs(const sim::Model& model, const Hierarchy& hierarchy, std::vector<Statement>& all) {
  for (const auto& tlb : hierarchy.tlbs) {
    const auto found = static_cast<double>(tlb.reach_bytes);
    const auto near = std::min_element(model.tlbs.begin(), model.tlbs.end(), [&](const sim::TlbModel& a, const sim::TlbModel& b) {
      return std::abs(std::log(static_cast<double>(a.reach_bytes) / found)) <
             std::abs(std::log(static_cast<double>(b.reach_bytes) / found));
    });
    const auto say = [&](const char* quantity, bool right, double stated, double truth) {
      const double confidence = std::string_view(quantity) == "penalty" ? tlb.penalty_confidence
                                : std::string_view(quantity) == "page"  ? tlb.page_confidence
                                                                        : tlb.confidence;
      all.push_back(
          {quantity, confidence, right, fmt::format("TLB of {}: {} {}, truth {}", tlb.reach_bytes, quantity, stated, truth)});
    };
    if (near == model.tlbs.end()) {
      say("TLB", false, found, 0);
      continue;
    }
    const auto reach = static_cast<double>(near->reach_bytes);
    const auto page = static_cast<double>(near->page_bytes);
    // Without a counted page the reach is the start of a ramp.
    say("reach", std::abs(found - reach) <= std::max(page, tlb.page_bytes ? 0 : 0.05 * reach), found, reach);
    if (tlb.page_bytes) say("page", *tlb.page_bytes == near->page_bytes, static_cast<double>(*tlb.page_bytes), page);
    if (tlb.penalty_cycles) {
      say("penalty", std::abs(*tlb.penalty_cycles - near->penalty_cycles) <= std::max(1.0, 0.05 * near->penalty_cycles),
          *tlb.penalty_cycles, near->penalty_cycles);
    }
  }
}

inline void score_copies(const sim::Model& model, const Hierarchy& hierarchy, std::vector<Statement>& all) {
  for (const auto& copies : hierarchy.private_copies) {
    const sim::Path* path = model.path(copies.path == "texture" ? MemoryPath::texture : MemoryPath::global);
    if (path == nullptr || path->hops.empty()) continue;
    const auto& cache = model.caches[path->hops.front().cache];
    const std::uint32_t truth = cache.scope == sim::Scope::unit ? cache.copies : 1;
    all.push_back({"copies", copies.confidence, copies.per_unit == truth,
                   fmt::format("{}: {} copies, truth {}", copies.path, copies.per_unit, truth)});
  }
}

/// Caches of a cluster are left out: the answer depends on which units run.
inline void score_sharing(const sim::Model& model, const Hierarchy& hierarchy, std::vector<Statement>& all) {
  const auto truth = true_levels(model, MemoryPath::global, INFINITY);
  for (const auto& unit : hierarchy.sharing.units) {
    if (unit.path != "global-index" || truth.empty()) continue;
    const TrueLevel& level = nearest(truth, unit.size_bytes);
    if (level.cache->scope == sim::Scope::cluster) continue;
    const bool shared = level.cache->scope == sim::Scope::device;
    all.push_back(
        {"sharing", unit.confidence, unit.shared == shared,
         fmt::format("{} bytes of {}: shared {}, truth {} of {}", unit.size_bytes, unit.path, unit.shared, shared, level.size)});
  }
  const sim::Path* global = model.path(MemoryPath::global);
  const sim::Path* texture = model.path(MemoryPath::texture);
  for (const auto& pair : hierarchy.sharing.paths) {
    if (pair.first != "texture" || texture == nullptr || texture->hops.empty() || global->hops.empty()) continue;
    const bool shared = texture->hops.front().cache == global->hops.front().cache;
    all.push_back({"sharing", pair.confidence, pair.shared == shared,
                   fmt::format("{} and {}: shared {}, truth {}", pair.first, pair.second, pair.shared, shared)});
  }
}

/// All statements of an analysis.
inline std::vector<Statement> statements(const sim::Model& model, const Hierarchy& hierarchy) {
  std::vector<Statement> all;
  for (const char* name : {"global", "global-index", "scalar", "texture"})
    score_path(model, hierarchy, name, *scored_path(model, name), all);
  score_tlbs(model, hierarchy, all);
  score_copies(model, hierarchy, all);
  score_sharing(model, hierarchy, all);
  return all;
}

/// The share of right statements.
struct Share {
  std::size_t right = 0;
  std::size_t all = 0;
  double value() const { return all == 0 ? 1 : static_cast<double>(right) / static_cast<double>(all); }
};

/// Statements with similar confidence.
struct Band {
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< mean
  Share share;
};

inline std::vector<Band> bands_of(const std::vector<Statement>& all) {
  std::vector<Band> bands;
  for (int tenth = 0; tenth < 10; ++tenth) {
    Band band{tenth / 10.0, (tenth + 1) / 10.0, 0, {}};
    for (const auto& statement : all) {
      if (std::min(9, static_cast<int>(10 * statement.confidence)) != tenth) continue;
      ++band.share.all;
      band.confidence += statement.confidence;
      if (statement.right) ++band.share.right;
    }
    if (band.share.all == 0) continue;
    band.confidence /= static_cast<double>(band.share.all);
    bands.push_back(band);
  }
  return bands;
}

/// Whether the share of right statements is at least their confidence, within two standard
/// deviations of a sample of that size.
inline bool is_floor(const Band& band) {
  const auto all = static_cast<double>(band.share.all);
  return band.share.value() >= band.confidence - 2 * std::sqrt(band.confidence * (1 - band.confidence) / all) - 1 / all;
}

/// The least share of right statements with kStatedConfidence.
inline double least_share(const std::string& quantity) {
  const bool of_levels =
      quantity == "size" || quantity == "range" || quantity == "latency" || quantity == "line" || quantity == "sector";
  return of_levels ? 0.99 : 0.97;
}

inline std::map<std::string, Share> shares_of(const std::vector<Statement>& all, double least = kStatedConfidence) {
  std::map<std::string, Share> shares;
  for (const auto& statement : all) {
    if (statement.confidence < least) continue;
    auto& share = shares[statement.quantity];
    ++share.all;
    if (statement.right) ++share.right;
  }
  return shares;
}

}  // namespace percycle::simtest
