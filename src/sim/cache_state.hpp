#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "core/random.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

inline constexpr std::uint64_t kMostSectors = 64;  ///< per line: a bit for each

/// The lines in one instance of a cache, updated load by load. A tag covers a line, and each of its
/// sectors is present or not. Empty ways are filled first, in order. Writes are ignored. After a
/// load, a neighbour's line may come in by chance (Cache::foreign_share); evicted() leaves its
/// victim out.
class CacheState {
 public:
  /// `seed` determines the random choices of Replacement::random and not_mru. Throws
  /// std::invalid_argument for a line of more than 64 sectors.
  CacheState(const Cache& cache, std::uint64_t seed);

  /// Loads `bytes` bytes at `address`. Returns whether all their sectors were present; afterwards
  /// they are.
  bool load(std::uint64_t address, std::uint64_t bytes);

  /// The line that the latest load() or insert() evicted last.
  std::optional<std::uint64_t> evicted() const;

  /// Takes the lines of these bytes out. Returns whether all sectors of the bytes were present.
  bool remove(std::uint64_t address, std::uint64_t bytes);

  /// Puts a whole line in.
  void insert(std::uint64_t line);

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

  /// Calls `act` with each line of the bytes and the mask of its sectors among them. Returns
  /// whether all calls returned true.
  template <typename Act>
  bool each_line(std::uint64_t address, std::uint64_t bytes, Act act);
  bool touch(std::uint64_t line, std::uint64_t sectors);
  std::uint64_t set_with(std::uint64_t line) const;
  std::uint64_t way_for(std::uint64_t set, std::uint64_t line);
  void used(std::uint64_t set, std::uint64_t way);
  void used_last(std::uint64_t set, std::uint64_t way);
  std::uint64_t victim(std::uint64_t set);

  Replacement replacement_;
  SetIndex index_;
  std::uint64_t slices_;
  std::uint64_t sets_;  ///< of a slice
  std::uint64_t ways_;
  unsigned line_shift_;
  unsigned sector_shift_;
  SplitMix64 random_;
  double foreign_share_;
  SplitMix64 foreign_;         ///< draws neighbours' lines
  bool has_holes_ = false;     ///< lines were removed: ways are no longer filled in order
  std::uint64_t evicted_ = 0;  ///< line number + 1; 0: none
  // One word per way, set after set.
  Words tags_;     ///< line number + 1; 0 for an empty way
  Words sectors_;  ///< bit i: sector i is present
  /// State of the replacement. LRU: the link of this way in the order of use. Pseudo-LRU: the word
  /// of way i is the direction of node i of the tree. Not-MRU: the word of way 0 is the last used
  /// way of the set.
  Words notes_;
  Words last_used_;  ///< LRU: the way of each set that was used last
};

/// The slice of line number `line`: `slices` consecutive lines from a multiple of `slices` on lie
/// in as many slices, in an order that the upper digits choose.
std::uint64_t slice_of(std::uint64_t line, std::uint64_t slices);

/// The set of line number `line`, by the rule of SetIndex.
std::uint64_t set_of(std::uint64_t line, std::uint64_t sets, SetIndex index);

}  // namespace percycle::sim
