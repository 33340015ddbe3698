#pragma once

#include <cstdint>

#include "core/chain.hpp"
#include "sim/model.hpp"

namespace percycle::sim {

/// The physical place of each page of a device: a random bijection of the memory's page frames.
/// Pages beyond the size of the memory wrap around.
class PageFrames {
 public:
  /// The memory must have at least two pages.
  PageFrames(const PagePlacement& pages, std::uint64_t memory_bytes);

  std::uint64_t physical(std::uint64_t address) const;

 private:
  std::uint64_t page_bytes_;
  std::uint64_t count_;
  Chain frames_;
};

}  // namespace percycle::sim
