#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/random.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

inline constexpr std::uint64_t kMostSectors = 64;  ///< per line: a bit for each

/// The lines in one instance of a cache, updated load by load. A tag covers a line, and each of its
/// sectors is present or not. Empty ways are filled first, in order. Writes are ignored.
class CacheState {
 public:
  /// `seed` determines the random choices of Replacement::random and not_mru. Throws
  /// std::invalid_argument for a line of more than 64 sectors.
  CacheState(const Cache& cache, std::uint64_t seed);

  /// Loads `bytes` bytes at `address`. Returns whether all their sectors were present; afterwards
  /// they are.
  bool load(std::uint64_t address, std::uint64_t bytes);

 private:
  /// Zero-initialised words; only the pages used cost memory.
  class Words {
   public:
    explicit Words(std::uint64_t count);
    std::uint64_t* at(std::uint64_t index) { return begin_.get() + index; }

   private:
    struct Free {
      void operator()(std::uint64_t* begin) const { std::free(begin); }
    };
    std::unique_ptr<std::uint64_t[], Free> begin_;
  };

  bool touch(std::uint64_t line, std::uint64_t sectors);
  void used(std::uint64_t set, std::uint64_t way);
  void used_last(std::uint64_t set, std::uint64_t way);
  std::uint64_t victim(std::uint64_t set);

  Replacement replacement_;
  SetIndex index_;
  std::uint64_t sets_;
  std::uint64_t ways_;
  unsigned line_shift_;
  unsigned sector_shift_;
  SplitMix64 random_;
  // One word per way, set after set.
  Words tags_;     ///< line number + 1; 0 for an empty way
  Words sectors_;  ///< bit i: sector i is present
  /// State of the replacement. LRU: the link of this way in the order of use. Pseudo-LRU: the word
  /// of way i is the direction of node i of the tree. Not-MRU: the word of way 0 is the last used
  /// way of the set.
  Words notes_;
  Words last_used_;  ///< LRU: the way of each set that was used last
};

/// The set of line number `line`, by the rule of SetIndex.
std::uint64_t set_of(std::uint64_t line, std::uint64_t sets, SetIndex index);

}  // namespace percycle::sim
