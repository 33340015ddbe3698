#include "sim/cache_state.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <stdexcept>

namespace percycle::sim {
namespace {

// Line numbers of neighbours: beyond all addresses of the device.
constexpr std::uint64_t kForeignLines = std::uint64_t{1} << 62;
constexpr std::uint64_t kForeignSeed = 0x5ca1ab1e;

/// A number below `count` from the generator's upper half (Lemire's multiply-and-shift; its bias of
/// count / 2^32 is negligible here).
std::uint64_t below(std::uint64_t count, SplitMix64& random) { return ((random() >> 32) * count) >> 32; }

/// A mask of the bits first to last.
std::uint64_t bits(std::uint64_t first, std::uint64_t last) { return (~std::uint64_t{0} >> (63 - (last - first))) << first; }

// A link of the ring that orders the ways of an LRU set from the most to the least recently used:
// the previous and the next way. 0: the way is not in the list yet.
std::uint64_t link(std::uint64_t previous, std::uint64_t next) { return (previous + 1) << 32 | (next + 1); }
std::uint64_t previous_of(std::uint64_t link) { return (link >> 32) - 1; }
std::uint64_t next_of(std::uint64_t link) { return (link & UINT32_MAX) - 1; }

/// The index of the first of `count` words that equals `wanted`; `count` if none does. Works on
/// blocks without a branch for speed.
std::uint64_t find(const std::uint64_t* words, std::uint64_t count, std::uint64_t wanted) {
  constexpr std::uint64_t kBlock = 8;
  std::uint64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    unsigned found = 0;
    for (std::uint64_t j = 0; j < kBlock; ++j) found |= static_cast<unsigned>(words[i + j] == wanted);
    if (found != 0) break;
  }
  while (i < count && words[i] != wanted) ++i;
  return i;
}

}  // namespace

std::uint64_t set_of(std::uint64_t line, std::uint64_t sets, SetIndex index) {
  if (index == SetIndex::modulo) return line % sets;
  if (sets == 1) return 0;
  const auto width = static_cast<unsigned>(std::countr_zero(sets));
  std::uint64_t folded = 0;
  for (; line != 0; line >>= width) folded ^= line;
  return folded & (sets - 1);
}

std::uint64_t slice_of(std::uint64_t line, std::uint64_t slices) {
  return (line % slices + SplitMix64(line / slices)() % slices) % slices;
}

CacheState::CacheState(const Cache& cache, std::uint64_t seed)
    : replacement_(cache.replacement),
      index_(cache.index),
      slices_(cache.slices),
      sets_(cache.sets() / cache.slices),
      ways_(cache.ways),
      line_shift_(static_cast<unsigned>(std::countr_zero(cache.line_bytes))),
      sector_shift_(static_cast<unsigned>(std::countr_zero(cache.sector_bytes))),
      random_(seed),
      foreign_share_(cache.foreign_share),
      foreign_(seed ^ kForeignSeed),
      tags_(cache.sets() * ways_),
      sectors_(cache.sets() * ways_),
      notes_(cache.sets() * ways_),
      last_used_(cache.replacement == Replacement::lru ? cache.sets() : 0) {
  if (cache.line_bytes / cache.sector_bytes > kMostSectors) throw std::invalid_argument("a line has at most 64 sectors");
}

CacheState::Words::Words(std::uint64_t count)
    : begin_(static_cast<std::uint64_t*>(std::calloc(std::max<std::uint64_t>(1, count), sizeof(std::uint64_t)))) {
  if (!begin_) throw std::bad_alloc();
}

template <typename Act>
bool CacheState::each_line(std::uint64_t address, std::uint64_t bytes, Act act) {
  const std::uint64_t last = address + bytes - 1;
  const std::uint64_t last_line = last >> line_shift_;
  const std::uint64_t in_line = (std::uint64_t{1} << line_shift_) - 1;
  bool all = true;
  for (std::uint64_t line = address >> line_shift_; line <= last_line; ++line) {
    const std::uint64_t from = std::max(address, line << line_shift_) & in_line;
    const std::uint64_t to = std::min(last, (line << line_shift_) + in_line) & in_line;
    if (!act(line, bits(from >> sector_shift_, to >> sector_shift_))) all = false;
  }
  return all;
}

bool CacheState::load(std::uint64_t address, std::uint64_t bytes) {
  evicted_ = 0;
  const bool all = each_line(address, bytes, [this](std::uint64_t line, std::uint64_t sectors) { return touch(line, sectors); });
  if (foreign_share_ > 0 && static_cast<double>(foreign_() >> 11) * 0x1p-53 < foreign_share_) {
    const std::uint64_t evicted = evicted_;
    touch(kForeignLines | foreign_() >> 8, 1);
    evicted_ = evicted;
  }
  return all;
}

std::optional<std::uint64_t> CacheState::evicted() const { return evicted_ == 0 ? std::nullopt : std::optional(evicted_ - 1); }

bool CacheState::remove(std::uint64_t address, std::uint64_t bytes) {
  return each_line(address, bytes, [this](std::uint64_t line, std::uint64_t sectors) {
    const std::uint64_t first = set_with(line) * ways_;
    const std::uint64_t way = find(tags_.at(first), ways_, line + 1);
    if (way == ways_) return false;
    const bool there = (*sectors_.at(first + way) & sectors) == sectors;
    *tags_.at(first + way) = 0;
    has_holes_ = true;
    return there;
  });
}

void CacheState::insert(std::uint64_t line) {
  evicted_ = 0;
  touch(line, bits(0, (std::uint64_t{1} << (line_shift_ - sector_shift_)) - 1));
}

std::uint64_t CacheState::set_with(std::uint64_t line) const {
  if (slices_ == 1) return set_of(line, sets_, index_);
  return slice_of(line, slices_) * sets_ + set_of(line / slices_, sets_, index_);
}

/// An empty way of the set, else that of the victim. Ways fill in order, so all are full if the
/// last is and none was emptied.
std::uint64_t CacheState::way_for(std::uint64_t set, std::uint64_t line) {
  std::uint64_t* const tags = tags_.at(set * ways_);
  std::uint64_t way = has_holes_ || tags[ways_ - 1] == 0 ? find(tags, ways_, 0) : ways_;
  if (way == ways_) {
    way = victim(set);
    evicted_ = tags[way];
  }
  tags[way] = line + 1;
  return way;
}

bool CacheState::touch(std::uint64_t line, std::uint64_t sectors) {
  const std::uint64_t set = set_with(line);
  const std::uint64_t first = set * ways_;
  std::uint64_t way = find(tags_.at(first), ways_, line + 1);
  if (way < ways_) {
    std::uint64_t& held = *sectors_.at(first + way);
    const bool there = (held & sectors) == sectors;
    held |= sectors;
    used(set, way);
    return there;
  }
  way = way_for(set, line);
  *sectors_.at(first + way) = sectors;
  used(set, way);
  return false;
}

void CacheState::used_last(std::uint64_t set, std::uint64_t way) {
  std::uint64_t* const links = notes_.at(set * ways_);
  std::uint64_t& first = *last_used_.at(set);
  if (links[first] == 0) {
    links[way] = link(way, way);
  } else if (way != first && way != previous_of(links[first])) {
    if (links[way] != 0) {
      const std::uint64_t previous = previous_of(links[way]);
      const std::uint64_t next = next_of(links[way]);
      links[previous] = link(previous_of(links[previous]), next);
      links[next] = link(previous, next_of(links[next]));
    }
    const std::uint64_t last = previous_of(links[first]);
    links[way] = link(last, first);
    links[last] = link(previous_of(links[last]), way);
    links[first] = link(way, next_of(links[first]));
  }
  first = way;
}

void CacheState::used(std::uint64_t set, std::uint64_t way) {
  std::uint64_t* const notes = notes_.at(set * ways_);
  switch (replacement_) {
    case Replacement::lru:
      used_last(set, way);
      break;
    case Replacement::pseudo_lru:
      // The nodes of the tree are numbered as in a heap, from 1; the leaf of way w is ways_ + w.
      // Each node points away from the way used last.
      for (std::uint64_t node = ways_ + way; node > 1; node /= 2) notes[node / 2] = 1 - node % 2;
      break;
    case Replacement::not_mru:
      notes[0] = way;
      break;
    case Replacement::random:
      break;
  }
}

std::uint64_t CacheState::victim(std::uint64_t set) {
  const std::uint64_t* const notes = notes_.at(set * ways_);
  switch (replacement_) {
    case Replacement::lru:
      return previous_of(notes[*last_used_.at(set)]);
    case Replacement::pseudo_lru: {
      std::uint64_t node = 1;
      while (node < ways_) node = 2 * node + notes[node];
      return node - ways_;
    }
    case Replacement::random:
      return below(ways_, random_);
    case Replacement::not_mru: {
      if (ways_ == 1) return 0;
      const std::uint64_t way = below(ways_ - 1, random_);
      return way < notes[0] ? way : way + 1;
    }
  }
  return 0;
}

}  // namespace percycle::sim
