#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/model.hpp"

namespace percycle::sim {

/// The pages in one set of a translation buffer, or in all of a fully associative one: LRU.
class TlbSet {
 public:
  explicit TlbSet(std::size_t capacity) : capacity_(capacity) {}

  /// Whether the page was present; afterwards it is.
  bool lookup(std::uint64_t page);

 private:
  /// One entry, in a ring by time of use: `younger` of the youngest is the oldest.
  struct Entry {
    std::uint64_t page = 0;
    std::size_t younger = 0;
    std::size_t older = 0;
  };
  void unlink(std::size_t entry);
  void make_youngest(std::size_t entry);

  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> entry_of_;
  std::size_t youngest_ = 0;
};

/// The pages in one instance of a translation buffer.
class TlbState {
 public:
  explicit TlbState(const TlbModel& tlb);

  /// Whether the page of `address` was present; afterwards it is.
  bool lookup(std::uint64_t address);

 private:
  std::uint64_t page_bytes_;
  std::vector<TlbSet> sets_;
};

}  // namespace percycle::sim
