#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/path_curve.hpp"
#include "analysis/translation.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// One level of address translation.
struct TlbLevel {
  std::size_t number = 0;              ///< from 1; stays what it is when another level turns out to be none
  double rough_reach = 0;              ///< bytes, from the random walk over growing spans
  bool at_most = false;                ///< the shortest span walked is no shorter than that
  double penalty = 0;                  ///< of a miss, in the curve's unit: from the walk page by page where that was exact
  double penalty_error = 0;            ///< standard error of that; 0 where it is not exact
  double walk_penalty = 0;             ///< from the random walk
  std::optional<std::uint64_t> page;   ///< bytes that one entry covers
  std::optional<std::uint64_t> reach;  ///< bytes: entries * page
  bool of_every_load = false;          ///< hits of the first cache ask, too (best_tlb_levels)
  double confidence = 0;
  std::vector<std::string> evidence;
};

/// What the points of experiment `tlb` say of one path. The data walked is always the same number of lines, so that no cache can pose as a
/// TLB; only the span over which it is spread grows.
class TlbReader {
 public:
  /// `place`: "inside" the first cache, or "beyond" it, for devices that translate only what misses there, or "outside" of all caches.
  TlbReader(std::span<const PointResult> results, const std::string& path, const std::string& place);

  /// Levels by the random walk: latency = hit + sum of penalty * (about 1 - reach / span) over the levels whose reach the span exceeds: a
  /// random access finds its page among the reach's share of the span. Pages and exact reaches as far as they were measured.
  const std::vector<TlbLevel>& levels() const { return levels_; }
  LatencyUnit unit() const { return unit_; }

  /// Which numbers of pages, walked page after page, still fit into the level: under LRU replacement all loads hit up to the number of
  /// entries and all miss with one more.
  struct Bracket {
    std::uint64_t fits = 0;
    std::uint64_t misses = 0;
  };
  Bracket bracket(std::size_t level) const;

 private:
  bool is_walk(const PointResult& result, std::string_view place) const;  ///< of this path there
  bool is_test(const PointResult& result, std::string_view test) const;   ///< of this path and place
  void fit_spans();
  void drop_rests();
  void find_page(std::size_t level);
  /// The penalties of the counted levels before this one, to a load of a walk over so many columns.
  double inner_penalties(std::size_t level, double stride, double columns) const;
  void find_reach(std::size_t level);
  /// Latency by the number of pages walked, of the level's entries tests.
  std::map<std::uint64_t, double> by_pages(std::size_t level) const;

  std::span<const PointResult> results_;
  std::string path_;
  std::string place_;
  LatencyUnit unit_;

  std::vector<TlbLevel> levels_;
  std::vector<double> page_test_least_;  ///< by number, from 0: the least latency of its page tests
};

/// The levels of the place that shows more of them exactly, else more of them; where it shows one only roughly, as another place knows it exactly.
std::vector<TlbLevel> best_tlb_levels(std::span<const PointResult> results, const std::string& path);

/// The levels whose reach and page were counted.
std::vector<Translation> counted_translations(std::span<const TlbLevel> tlbs);

}  // namespace percycle
