#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace percycle {

/// How the share of slow accesses grows once a random cyclic walk of F bytes outgrows something: 0 up to an onset Z, then piecewise linear in
/// u = 1 - Z/F.
struct RiseShape {
  enum class Kind {
    tlb,     ///< u itself: a page visited at random is still mapped with probability Z/F. Reaches 1 nowhere.
    lru,     ///< a cache with LRU or tree pseudo-LRU replacement: sets overflow one after the other, and then miss always
    random,  ///< a cache with random or not-most-recently-used replacement
    paged,   ///< an LRU cache indexed by physical addresses, and pages that lie anywhere: some sets overflow long before others
  };
  struct Knot {
    double u = 0;
    double share = 0;
  };

  Kind kind = Kind::lru;
  double ways = 0;  ///< lru and paged
  std::vector<Knot> knots;
  double capacity = 1;  ///< the size of what is outgrown over the onset: above 1 for paged only

  /// The share of slow accesses at x = F/Z.
  double share(double x) const;

  /// x at which 95 % of the rise are over.
  double end() const;
};

/// One rise of a curve.
struct Rise {
  const RiseShape* shape = nullptr;
  double onset = 0;         ///< bytes
  double height = 0;        ///< value when the rise is over
  double height_error = 0;  ///< standard error of that, the onset and the shape being what they are
  double gain = 0;          ///< how much chi-square grows without this rise
  bool known = false;       ///< shape and onset come from elsewhere

  double capacity() const { return onset * shape->capacity; }
  bool is_edge() const { return shape->kind != RiseShape::Kind::tlb; }
};

/// The shapes that an edge of a cache can have: LRU of 1 to 32 ways and of any number more, random and not-MRU replacement, paged.
std::span<const RiseShape> edge_shapes();

/// Those that the rise of a TLB can have: of pages with many nodes each, and of the smallest with few.
std::span<const RiseShape> tlb_shapes();

/// The one that fits pages of so many nodes best.
const RiseShape& tlb_shape(double visits);

/// A few shapes that stand for all: sharp, steep, broad, random and TLB.
std::span<const RiseShape* const> coarse_shapes();

}  // namespace percycle
