#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/bracket.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/translation.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// One level of address translation.
struct TlbLevel {
  std::size_t number = 0;              ///< from 1; constant even if another level is dropped
  double rough_reach = 0;              ///< bytes, from the random walk over growing spans
  bool at_most = false;                ///< the shortest measured span already exceeds the reach
  double penalty = 0;                  ///< of a miss, in the curve's unit, from the best walk
  double penalty_error = 0;            ///< its standard error; 0 if only the random walk gave it
  double walk_penalty = 0;             ///< from the random walk
  std::optional<std::uint64_t> page;   ///< bytes per entry
  std::optional<std::uint64_t> reach;  ///< bytes: entries * page
  std::optional<std::uint32_t> ways;   ///< of its sets, if the misses grow as they overflow
  std::size_t places = 1;              ///< that counted the same reach and page (best_tlb_levels)
  bool of_every_load = false;          ///< also looked up on hits of the first cache
  double confidence = 0;
  std::vector<std::string> evidence;

  struct LongerStep {
    double columns = 0;
    double slower = 0;  ///< than the fastest walk of the page test
  };
  LongerStep two_pages;  ///< the page test in steps of two pages
};

/// Whether two standard errors of the penalty exceed the accuracy of a stated one.
bool is_vague_penalty(const TlbLevel& level);

/// Reads the points of experiment `tlb` on one path. The number of lines walked is constant, so
/// that no cache looks like a TLB. Only the span grows.
class TlbReader {
 public:
  /// `place`: "inside" the first cache, "beyond" it (some devices translate only its misses), or
  /// "outside" of all caches.
  TlbReader(std::span<const PointResult> results, const std::string& path, const std::string& place);

  /// Levels from the random walk: latency = hit + sum of penalty * (about 1 - reach / span). The
  /// sum is over levels with a reach below the span. A random access hits with probability reach /
  /// span. Pages and exact reaches are included if measured.
  const std::vector<TlbLevel>& levels() const { return levels_; }
  LatencyUnit unit() const { return unit_; }
  /// The longest span of the random walk, in bytes; 0 without this walk.
  double longest_span() const { return longest_span_; }

  /// The page counts around the number of entries, from walks page by page. Under LRU all loads hit
  /// up to that number, and all miss with one more.
  Bracket bracket(std::size_t level) const;

 private:
  /// On this path, at `place`.
  bool is_walk(const PointResult& result, std::string_view place) const;
  bool is_test(const PointResult& result, std::string_view test) const;  ///< on this path and place
  void fit_spans();
  void drop_rests();
  void find_page(std::size_t level);
  /// The penalties of the counted levels before this one, per load of a walk over `columns`
  /// columns.
  double inner_penalties(std::size_t level, double stride, double columns) const;
  void find_reach(std::size_t level);
  /// The reach of a table with sets; false if the misses do not grow as these sets overflow.
  bool find_sets(TlbLevel& level) const;
  /// Latency by number of pages, from the level's entries tests.
  std::map<std::uint64_t, double> by_pages(std::size_t level) const;

  std::span<const PointResult> results_;
  std::string path_;
  std::string place_;
  LatencyUnit unit_;

  double longest_span_ = 0;
  std::vector<TlbLevel> levels_;
  std::vector<double> page_test_least_;  ///< by number, from 0: the least latency of its page tests
};

/// The levels of the place with the most exact levels, then the most levels. A level that this
/// place knows only roughly comes from another place that counted it.
std::vector<TlbLevel> best_tlb_levels(std::span<const PointResult> results, const std::string& path);

/// The levels with counted reach and page.
std::vector<Translation> counted_translations(std::span<const TlbLevel> tlbs);

}  // namespace percycle
