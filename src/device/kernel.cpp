#include "device/kernel.hpp"

#include <algorithm>
#include <cstring>

namespace percycle {

void MemoryModel::walk(std::span<const Walk> together) {
  std::uint64_t longest = 0;
  for (const auto& walk : together) longest = std::max(longest, walk.steps);
  for (std::uint64_t step = 0; step < longest; ++step) {
    for (const auto& walk : together) {
      if (step >= walk.steps) continue;
      const std::uint64_t offset = walk.base + walk.image.layout.offset(walk.image.chain.place(walk.position + step));
      access(walk.actor, walk.path, walk.binding, offset, walk.image.layout.pointers ? 8 : 4, AccessKind::read);
    }
  }
}

void BoundMemory::hold(const ChainImage& image, std::uint64_t first, std::uint64_t count, std::uint64_t address_base) {
  const auto memory = bytes();
  for (std::uint64_t node = first; node < first + count; ++node) {
    const std::uint64_t link = image.link_to(image.chain.position(static_cast<std::uint32_t>(node)) + 1, address_base);
    std::memcpy(memory.data() + image.layout.offset(node), &link, image.layout.pointers ? 8 : 4);
  }
}

}  // namespace percycle
