#pragma once

#include <span>

namespace percycle {

/// How the share of slow accesses grows once a random cyclic walk of F bytes outgrows something of size Z. All shapes rise from 0 at F = Z.
struct RiseShape {
  enum class Kind {
    tlb,  ///< 1 - Z/F: a page visited at random is still mapped with probability Z/F. Reaches 1 nowhere.
    lru,  ///< cache of `ways` ways with LRU or tree pseudo-LRU replacement: sets overflow one after the other, and then miss always
    random,  ///< cache with random or not-most-recently-used replacement
  };
  Kind kind = Kind::lru;
  double ways = 1;  ///< lru only
  double few = 0;   ///< random only: 0 for many ways, more for few (see rise_share)

  bool operator==(const RiseShape&) const = default;
};

/// The share of accesses that miss at x = F/Z; 0 up to x = 1.
///
/// LRU: of Z/W sets, W (x - 1) in W hold W + 1 lines and miss always, the others never: (W + 1) (1 - 1/x) of all accesses, up to 1 at
/// x = 1 + 1/W. Random, many ways: a line survives the misses m x between two visits with probability exp(-m x), so 1 - m = exp(-m x).
/// With few ways the curve is steeper; simulated sets of 2 to 8 ways, random and not-MRU, lie within 0.03 of a mixture
/// (1 - few) * many ways + few * LRU of two ways, with few between 0 and 0.4. (Not-MRU of two ways is LRU.)
double rise_share(const RiseShape& shape, double x);

/// x at which 95 % of the rise are over.
double rise_end(const RiseShape& shape);

/// The shapes that a cache's edge is tried with.
std::span<const RiseShape> edge_shapes();

}  // namespace percycle
