#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace percycle {

/// Overwrites the beginning of each page. Call it for memory that a copy is about to fill: a copy
/// that never happens, or skips a page, then leaves other bytes than an earlier copy left.
inline void mark_stale(std::span<std::byte> memory) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kMarked = 16;
  constexpr std::byte kMark{0xa5};
  for (std::size_t at = 0; at < memory.size(); at += kPage)
    std::ranges::fill(memory.subspan(at, std::min(kMarked, memory.size() - at)), kMark);
}

}  // namespace percycle
