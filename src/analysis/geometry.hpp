#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/path_curve.hpp"
#include "analysis/wide_fetches.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// What the points of experiment `geometry` say of the cache levels of one path. Each reader answers one question from the chases that were
/// made for it, so that the experiment can plan the next question from the answer and the analysis can report it. All of them look at the
/// miss share of a chase: how far its latency lies from the level's own hit latency towards the next level's.
class GeometryReader {
 public:
  /// `known`: rises that other measurements of the same memory show, of translation and of caches; they help to read the walk in random order.
  GeometryReader(std::span<const PointResult> results, const std::string& path, std::vector<Rise> known = {});

  const PathCurves& curves() const { return curves_; }
  /// The best curve's reading, each fetch counted once.
  const CurveReading& reading() const { return fetched_.reading; }
  /// Another reading of the same curve, each fetch counted once.
  FetchedReading with_fetches_once(const CurveReading& reading) const;
  /// Whether latencies behind wide fetches are means that could not be taken apart.
  const FetchedReading& fetched() const { return fetched_; }
  /// The reading of the walk in random order.
  const CurveReading& random_reading() const { return random_; }
  std::size_t levels() const { return fetched_.reading.levels.size(); }

  /// Bytes that one miss of level k fetches: the distance from which on the second of neighbouring loads misses, too (Saavedra and Smith,
  /// "Measuring Cache and TLB Performance", IEEE ToC 44(10), 1995: misses per load grow with the stride until it is the line).
  struct Fetch {
    std::uint64_t bytes = 0;
    bool at_most = false;  ///< an inner level fetches as much at once, so that less could not be seen
  };
  std::optional<Fetch> fetch(std::size_t level) const;

  /// How many times smaller the level is than a walk with one node to `curves().stride_bytes` makes it seem: 1, 2 or 4. Where lines are shorter
  /// than that and the sets are hashed, or their number is odd or twice that, the nodes fill lines that the data between them would need. Data without gaps tell: empty until the
  /// tests with as much of it as should fit are done; 1 where a miss fetches a whole stride.
  std::optional<std::uint64_t> gaps(std::size_t level) const;
  /// The level's size, as far as it is known.
  double size(std::size_t level) const {
    return fetched_.reading.levels[level].size / static_cast<double>(gaps(level).value_or(1));
  }

  /// Bytes that one tag covers: the smallest c for which 0.7 size/c nodes, `factor` * c bytes apart, still fit. Two lines of one size c
  /// never share such a node's line; where c is half a line, each node costs twice what it was thought to.
  std::optional<std::uint64_t> line(std::size_t level) const;
  /// The same; what a miss fetches where the line does not show, which is at most that.
  std::uint64_t tag_bytes(std::size_t level) const;
  /// The factors (3, 5, 7) that were tried without a fit; a set count that the factor divides defeats the test.
  bool line_tried(std::size_t level, std::uint64_t factor) const;

  /// Which distance brings blocks of `block` bytes into the same sets, and how many such blocks fit.
  struct Alias {
    std::uint64_t block = 0;
    std::uint64_t apart = 0;  ///< bytes between blocks
    double blocks = 0;        ///< that fit, as near as the level's size is known
    bool any = true;          ///< false: no power of two did; `block` and `apart` are the smallest tried
  };
  /// The largest block for which doubling the distance halves what fits, from the tests with apart = 2 * block; 0: none does.
  std::optional<std::uint64_t> alias_block(std::size_t level) const;
  /// Blocks for a test at that distance: 1.5 times what fits if twice the distance halves what fits, three quarters of it if not.
  std::uint64_t alias_count(std::size_t level, std::uint64_t apart) const;
  /// The block for a test at that distance: `block`, or longer ones, up to half the distance, where 0.75 of the size in shorter ones would leave
  /// too little of the level before.
  std::uint64_t alias_test_block(std::size_t level, std::uint64_t block, std::uint64_t apart) const;
  /// Powers of two only. Empty also where the level before holds what a test needs, and none of its loads miss.
  std::optional<Alias> alias(std::size_t level) const;
  /// How to look for odd factors: that many blocks, of that many bytes, the factor times the distance apart; empty where too few blocks fit.
  struct FactorTest {
    std::uint64_t block = 0;
    std::uint64_t blocks = 0;
  };
  std::optional<FactorTest> factor_test(std::size_t level, const Alias& alias) const;
  /// The alias with the odd factors of the number of sets that are known so far, one stage of tests after the other (9 is 3 in two of them):
  /// the one whose factors are to be tested next; empty when none is.
  std::optional<Alias> untested_factors(std::size_t level) const;
  /// With all of them, and with blocks long enough to count ways with; empty while there are tests to do.
  std::optional<Alias> alias_with_factors(std::size_t level) const;

  /// The number of blocks at that distance that fit exactly: the ways. Empty until two neighbouring counts, one of which fits, were measured.
  struct Ways {
    std::uint32_t ways = 0;
    double next_share = 0;  ///< miss share with one block more, of what the level before does not serve: 1 under LRU
    bool sharp = false;     ///< most loads miss with one block more
  };
  std::optional<Ways> ways(std::size_t level, const Alias& alias) const;
  /// The largest count that fits and the smallest that does not, of those measured so far; 0: none yet.
  struct Bracket {
    std::uint64_t fits = 0;
    std::uint64_t misses = 0;
  };
  Bracket bracket(std::size_t level, const Alias& alias) const;

  /// Loads timed one by one while a set is walked over and over with one line more than it has ways.
  struct SecondPass {
    std::size_t lap = 0;       ///< loads of one lap
    std::vector<bool> misses;  ///< of each load, in order
    double between = 0;        ///< share of the loads that took neither as long as a hit nor as long as a miss
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
    bool overflows() const;  ///< of a test with more blocks than fit unless their distance brings them into other sets
  };
  std::vector<Test> tests(const char* name, std::size_t level) const;
  std::optional<std::uint64_t> tested_line(std::size_t level) const;  ///< by the walks of nodes that may share a tag
  double miss_latency(std::size_t level) const;                       ///< of the level after this one
  /// What inner levels take of a test of this level: the bytes of the one before, in this one's lines where those are longer; 0 of the first.
  double inner_bytes(std::size_t level) const;
  /// The largest miss share of blocks that fit, by the error of that share.
  static double fit_limit(double share_error);
  /// The miss share of a walk over so many bytes less what the level before serves of it, by the shape of its edge.
  double unserved_share(std::size_t level, double share, double bytes) const;
  struct Factors {
    Alias alias;
    bool tested = true;
  };
  std::optional<Factors> factors(std::size_t level) const;
  /// All sets are alike, so that longer blocks count the same ways: as long as so many of them need to leave the level before hardly a load.
  std::uint64_t outgrowing_block(std::size_t level, const Alias& alias, double blocks) const;

  std::span<const PointResult> results_;
  std::string path_;
  PathCurves curves_;
  FetchedReading fetched_;
  CurveReading random_;
};

/// The odd factors of a number of sets that are looked for, each as often as it is found.
inline constexpr std::array<std::uint64_t, 17> kSetFactors{3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61};

}  // namespace percycle
