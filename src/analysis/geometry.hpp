#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/bracket.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/wide_fetches.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// The share of a level that the tests of gaps and lines fill.
inline constexpr double kFilled = 0.7;

/// Reads the points of experiment `geometry` on one path. Each function answers one question, from
/// which the experiment plans the next. All use the miss share of a chase: its latency on the scale
/// from the level's hit latency (0) to the next level's (1).
class GeometryReader {
 public:
  /// `known`: rises (TLBs and caches) from other measurements of the same memory. They help to read
  /// the walk in random order.
  GeometryReader(std::span<const PointResult> results, const std::string& path, std::vector<Rise> known = {});

  const PathCurves& curves() const { return curves_; }
  /// The reading of the best curve, each fetch counted once.
  const CurveReading& reading() const { return fetched_.reading; }
  /// Another reading of the same curve, each fetch counted once.
  FetchedReading with_fetches_once(const CurveReading& reading) const;
  /// Tells which latencies behind wide fetches are only means.
  const FetchedReading& fetched() const { return fetched_; }
  /// The reading of the walk in random order.
  const CurveReading& random_reading() const { return random_; }
  std::size_t levels() const { return fetched_.reading.levels.size(); }

  /// Whether a path of the record has tests of experiment geometry.
  bool tested() const { return tested_; }

  /// Bytes that one miss of level k fetches: the distance at which the second of two neighbouring
  /// loads misses, too. Misses per load grow with the stride until it is the line (Saavedra and
  /// Smith, "Measuring Cache and TLB Performance", IEEE ToC 44(10), 1995).
  struct Fetch {
    std::uint64_t bytes = 0;
    bool at_most = false;  ///< an inner level fetches as much at once and hides smaller fetches
  };
  std::optional<Fetch> fetch(std::size_t level) const;
  /// Whether walks over different footprints show different fetches.
  bool fetch_disputed(std::size_t level) const;

  /// How many times the walk's gaps enlarge the level: 1, 2 or 4. The walk has one node per stride.
  /// If lines are shorter, the walk uses only some of them. If the nodes still spread over all sets
  /// (hashed sets, an odd number of sets or twice an odd number), the level seems stride / line
  /// times larger. 1 if a miss fetches a whole stride; else empty until the tests of data without
  /// gaps are done.
  std::optional<std::uint64_t> gaps(std::size_t level) const;
  /// The level's size, as far as it is known.
  double size(std::size_t level) const {
    return fetched_.reading.levels[level].size / static_cast<double>(gaps(level).value_or(1));
  }

  /// Bytes that one tag covers: the smallest c for which 0.7 size/c nodes, `factor` * c bytes
  /// apart, still fit. Two lines of size c never share a node's line. If c is half a line, each
  /// node costs twice as much.
  std::optional<std::uint64_t> line(std::size_t level) const;
  /// Whether conflicts by chance, in hashed sets, made the line seem longer, or the factors
  /// disagree.
  bool line_disputed(std::size_t level) const;
  /// The line; if it does not show, the fetch size, which is its lower bound.
  std::uint64_t tag_bytes(std::size_t level) const;
  /// Whether the factor (3, 5 or 7) was tried. A factor that divides the number of sets defeats the
  /// test.
  bool line_tried(std::size_t level, std::uint64_t factor) const;

  /// The distance that brings blocks of `block` bytes into the same sets.
  struct Alias {
    std::uint64_t block = 0;
    std::uint64_t apart = 0;  ///< bytes between blocks
    double blocks = 0;        ///< number that fits, as exact as the level's size
    /// False: no power of two aliases. `block` and `apart` are then the smallest tried.
    bool any = true;
  };
  /// The largest block for which doubling the distance halves the number that fits, from the tests
  /// with apart = 2 * block; 0 if there is none.
  std::optional<std::uint64_t> alias_block(std::size_t level) const;
  /// The number of blocks of an alias test at that distance. It is 1.5 times the number that fits
  /// if the distance brings them into the same sets, else three quarters of it.
  std::uint64_t alias_count(std::size_t level, std::uint64_t apart) const;
  /// The block length of an alias test at that distance: `block`, or more, up to half the distance,
  /// if 0.75 of the size in shorter blocks would not outgrow the level before.
  std::uint64_t alias_test_block(std::size_t level, std::uint64_t block, std::uint64_t apart) const;
  /// The alias in powers of two. Also empty if the level before holds the whole test and hides its
  /// misses.
  std::optional<Alias> alias(std::size_t level) const;
  /// The test of an odd factor: `blocks` blocks, factor * apart bytes apart. Empty if too few
  /// blocks fit.
  struct FactorTest {
    std::uint64_t block = 0;
    std::uint64_t blocks = 0;
  };
  std::optional<FactorTest> factor_test(std::size_t level, const Alias& alias) const;
  /// The alias with the odd factors found so far, if the next stage of factor tests is still to be
  /// measured; else empty. A factor 9 takes two stages of 3.
  std::optional<Alias> untested_factors(std::size_t level) const;
  /// The alias with all odd factors, and with blocks long enough to count ways; empty until all
  /// tests are done.
  std::optional<Alias> alias_with_factors(std::size_t level) const;

  /// The number of blocks at that distance that fit exactly: the ways. Empty until a count that
  /// fits and the next one that does not are measured.
  struct Ways {
    std::uint32_t ways = 0;
    /// Miss share with one block more, without loads that the level before serves. 1 under LRU.
    double next_share = 0;
    bool sharp = false;  ///< most loads miss with one block more
  };
  std::optional<Ways> ways(std::size_t level, const Alias& alias) const;
  Bracket bracket(std::size_t level, const Alias& alias) const;

  /// Loads timed one by one on a cyclic walk over one line more than the ways of a set.
  struct SecondPass {
    std::size_t lap = 0;       ///< loads per lap
    std::vector<bool> misses;  ///< for each load, in order
    double between = 0;        ///< share of the loads that are neither clear hits nor clear misses
  };
  /// One for each sample of the level's second-pass points.
  std::vector<SecondPass> second_passes(std::size_t level, const Ways& ways) const;

 private:
  struct Test {
    const Parameters* parameters;
    double share;
    double share_error;
    const Measurement* measurement;
    std::uint64_t number(const char* name) const;
    /// Whether a test misses. Its blocks fit unless their distance brings them into the same sets.
    bool overflows() const;
  };
  std::vector<Test> tests(const char* name, std::size_t level) const;
  /// The fetch by the walks over each footprint that show one, smallest footprint first. Earlier
  /// readings of the curve planned others; strides of two of them do not compare.
  std::vector<Fetch> fetches(std::size_t level) const;
  /// Miss shares by a parameter of the tests. Earlier readings of the curve planned tests of other
  /// lengths: the one whose nodes times the parameter are closest to `product` counts.
  static std::map<std::uint64_t, double> shares_by(std::span<const Test> tests, const char* name, double product);
  struct FittedLine {
    std::uint64_t bytes = 0;
    bool clear = false;  ///< conflicts by chance cannot look so
  };
  /// The line by the walks of nodes that may share a tag.
  std::optional<FittedLine> tested_line(std::size_t level) const;
  /// Whether factors disagree on the misses of a candidate. Wasted lines make the same in each,
  /// conflicts by chance do not.
  static bool wastes_differ(std::span<const std::map<std::uint64_t, double>> factors, std::uint64_t candidate);
  /// The smallest candidate whose nodes fit, by their miss shares.
  static std::optional<FittedLine> smallest_fit(std::map<std::uint64_t, double> shares);
  double miss_latency(std::size_t level) const;  ///< latency of the next level
  /// The part of a test that the level before holds: its size, in this level's lines if those are
  /// longer; 0 for the first level.
  double inner_bytes(std::size_t level) const;
  /// The largest miss share of blocks that fit, given the error of the share.
  static double fit_limit(double share_error);
  /// The miss share of a walk over `bytes` without the loads that the level before serves, by the
  /// shape of its edge.
  double unserved_share(std::size_t level, double share, double bytes) const;
  struct Factors {
    Alias alias;
    bool tested = true;
  };
  std::optional<Factors> factors(std::size_t level) const;
  /// A block length with which `blocks` blocks outgrow the level before. Longer blocks count the
  /// same ways, because all sets are alike.
  std::uint64_t outgrowing_block(std::size_t level, const Alias& alias, double blocks) const;

  /// The path's tests by name and number of the level.
  std::map<std::pair<std::string, std::int64_t>, std::vector<const PointResult*>> tests_;
  bool tested_ = false;
  PathCurves curves_;
  FetchedReading fetched_;
  CurveReading random_;
};

/// The odd factors of a number of sets that are looked for. A factor may occur several times.
inline constexpr std::array<std::uint64_t, 17> kSetFactors{3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61};

}  // namespace percycle
