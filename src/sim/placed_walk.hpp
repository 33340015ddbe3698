#pragma once

#include <cstdint>

#include "core/chain.hpp"
#include "sim/memory_model.hpp"

namespace percycle::sim {

/// A chase through caches, without its position and length.
struct PlacedWalk {
  Actor actor;
  MemoryPath path = MemoryPath::global;
  std::uint64_t base = 0;  ///< address of node 0
  ChainImage image;

  /// The address of the node at a position, and the bytes of its link.
  std::uint64_t address(std::uint64_t position) const { return base + image.layout.offset(image.chain.place(position)); }
  std::uint64_t link_bytes() const { return image.layout.pointers ? 8 : 4; }

  bool operator==(const PlacedWalk& other) const {
    return actor.unit == other.actor.unit && actor.subgroup == other.actor.subgroup && path == other.path && base == other.base &&
           image == other.image;
  }
};

}  // namespace percycle::sim
