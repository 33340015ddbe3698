#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/random.hpp"
#include "device/sim/model.hpp"

namespace percycle::sim {

/// The lines that one instance of a cache holds, load by load.
///
/// A tag covers a line, and each of its sectors is there or not. Ways that hold nothing are filled first, in order. Writes are not seen.
class CacheState {
 public:
  /// `seed` is of the random choices of Replacement::random and not_mru. Throws std::invalid_argument for a line of more than 64 sectors.
  CacheState(const Cache& cache, std::uint64_t seed);

  /// Loads `bytes` bytes at `address`: whether every sector of them was there. Those that were not are now.
  bool load(std::uint64_t address, std::uint64_t bytes);

 private:
  /// One way of a set; all zero while it holds nothing.
  struct Way {
    std::uint64_t tag;      ///< line number + 1
    std::uint64_t sectors;  ///< bit i: sector i is there
    /// What the replacement remembers. LRU: when this way was last used. Pseudo-LRU: way i's is the direction of node i of the tree. Not-MRU:
    /// way 0's is the way of the set that was last used.
    std::uint64_t note;
  };
  struct Free {
    void operator()(Way* ways) const { std::free(ways); }
  };

  bool touch(std::uint64_t line, std::uint64_t sectors);
  void used(Way* set, std::uint64_t way);
  std::uint64_t victim(const Way* set);

  Replacement replacement_;
  SetIndex index_;
  std::uint64_t sets_;
  std::uint64_t ways_;
  unsigned line_shift_;
  unsigned sector_shift_;
  SplitMix64 random_;
  std::uint64_t now_ = 0;
  std::unique_ptr<Way[], Free> all_;  // from calloc: a large cache costs only the pages that are used
};

/// The set of line number `line`, by the rule of SetIndex.
std::uint64_t set_of(std::uint64_t line, std::uint64_t sets, SetIndex index);

}  // namespace percycle::sim
