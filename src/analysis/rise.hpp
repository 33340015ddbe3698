#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace percycle {

/// The share of slow accesses of a random cyclic walk of F bytes that outgrows a cache or TLB: 0 up
/// to an onset Z, then piecewise linear in u = 1 - Z/F.
struct RiseShape {
  enum class Family {
    /// U itself: a page visited at random is mapped with probability Z/F. Never reaches 1.
    tlb,
    lru,     ///< LRU or tree pseudo-LRU replacement: sets overflow one by one and then always miss
    random,  ///< random or not-most-recently-used (not-MRU) replacement
    /// LRU, indexed by physical addresses of scattered pages: some sets overflow much earlier.
    paged,
  };
  struct Knot {
    double u = 0;
    double share = 0;
  };

  Family kind = Family::lru;
  double ways = 0;  ///< for lru and paged
  std::vector<Knot> knots;
  double capacity = 1;  ///< capacity divided by onset; above 1 for paged only

  /// The share of slow accesses at x = F/Z.
  double share(double x) const;

  /// The x at which 95 % of the rise are over.
  double end() const;
};

/// One rise of a curve.
struct Rise {
  const RiseShape* shape = nullptr;
  double onset = 0;         ///< bytes
  double height = 0;        ///< increase of the value over the whole rise
  double height_error = 0;  ///< its standard error, for this onset and shape
  double gain = 0;          ///< increase of chi-square without this rise
  bool known = false;       ///< another reading gave shape and onset

  double capacity() const { return onset * shape->capacity; }
  bool is_edge() const { return shape->kind != RiseShape::Family::tlb; }
};

/// The shapes of a cache's edge: LRU with 1 to 32 or more ways, random, not-MRU, paged.
std::span<const RiseShape> edge_shapes();

/// The shapes of a TLB's rise: large pages with many nodes each, the smallest pages with few.
std::span<const RiseShape> tlb_shapes();

/// A few shapes that represent all: sharp, steep, broad, random and TLB.
std::span<const RiseShape* const> coarse_shapes();

}  // namespace percycle
