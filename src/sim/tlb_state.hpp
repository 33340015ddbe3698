#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/model.hpp"

namespace percycle::sim {

/// The pages in one instance of a translation buffer: fully associative, LRU.
class TlbState {
 public:
  explicit TlbState(const TlbModel& tlb);

  /// Whether the page of `address` was present; afterwards it is.
  bool lookup(std::uint64_t address);

 private:
  /// One entry, in a ring by time of use: `younger` of the youngest is the oldest.
  struct Entry {
    std::uint64_t page = 0;
    std::size_t younger = 0;
    std::size_t older = 0;
  };
  void unlink(std::size_t entry);
  void make_youngest(std::size_t entry);

  std::uint64_t page_bytes_;
  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> entry_of_;
  std::size_t youngest_ = 0;
};

}  // namespace percycle::sim
