#include "sim/tlb_state.hpp"

namespace percycle::sim {

TlbState::TlbState(const TlbModel& tlb) : page_bytes_(tlb.page_bytes) {
  const std::uint64_t entries = tlb.reach_bytes / tlb.page_bytes;
  const std::uint64_t ways = tlb.ways == 0 ? entries : tlb.ways;
  sets_.assign(entries / ways, TlbSet(ways));
}

bool TlbState::lookup(std::uint64_t address) {
  const std::uint64_t page = address / page_bytes_;
  return sets_[page % sets_.size()].lookup(page);
}

bool TlbSet::lookup(std::uint64_t page) {
  if (!entries_.empty() && entries_[youngest_].page == page) return true;
  if (const auto found = entry_of_.find(page); found != entry_of_.end()) {
    unlink(found->second);
    make_youngest(found->second);
    return true;
  }
  std::size_t entry = entries_.size();
  if (entry < capacity_) {
    entries_.push_back({page, entry, entry});
    if (entry > 0) make_youngest(entry);
    youngest_ = entry;
  } else {
    // The oldest: in the ring it follows the youngest.
    entry = entries_[youngest_].younger;
    entry_of_.erase(entries_[entry].page);
    entries_[entry].page = page;
    youngest_ = entry;
  }
  entry_of_[page] = entry;
  return false;
}

void TlbSet::unlink(std::size_t entry) {
  const Entry& gone = entries_[entry];
  entries_[gone.older].younger = gone.younger;
  entries_[gone.younger].older = gone.older;
}

void TlbSet::make_youngest(std::size_t entry) {
  const std::size_t oldest = entries_[youngest_].younger;
  entries_[entry].older = youngest_;
  entries_[entry].younger = oldest;
  entries_[youngest_].younger = entry;
  entries_[oldest].older = entry;
  youngest_ = entry;
}

}  // namespace percycle::sim
