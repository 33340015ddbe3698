#include "sim/sim_memory.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace percycle::sim {
namespace {

void write_links(std::span<std::byte> memory, const ChainImage& image, std::uint64_t first, std::uint64_t end,
                 std::uint64_t base) {
  for (std::uint64_t node = first; node < end; ++node) {
    const std::uint64_t link = image.link_to(image.chain.position(static_cast<std::uint32_t>(node)) + 1, base);
    std::memcpy(memory.data() + image.layout.offset(node), &link, image.layout.pointers ? 8 : 4);
  }
}

}  // namespace

std::uint64_t links_end(const ChainImage& image) {
  const ChainLayout& layout = image.layout;
  const std::uint64_t nodes = image.chain.nodes();
  const bool rows = layout.columns != 0 && nodes > layout.columns;
  const std::uint64_t apart = rows ? std::min(layout.stride_bytes, layout.row_stride_bytes) : layout.stride_bytes;
  return layout.span(nodes) - apart + (layout.pointers ? 8 : 4);
}

std::span<std::byte> SimMemory::bytes() {
  note_change();
  write_held();
  held_.reset();
  return memory_.bytes();
}

std::span<const std::byte> SimMemory::contents() {
  write_held();
  return memory_.bytes();
}

void SimMemory::hold(const ChainImage& image, std::uint64_t first, std::uint64_t count, std::uint64_t address_base) {
  if (links_end(image) > size() || first + count > image.chain.nodes()) throw std::logic_error("a chain longer than its memory");
  note_change();
  const bool next = held_ && first == held_->nodes && held_->address_base == address_base && held_->image == image;
  if (next) {
    held_->nodes += count;
    return;
  }
  write_held();
  held_.reset();
  if (first == 0) {
    held_ = Held{image, address_base, count, 0};
  } else {
    write_links(memory_.bytes(), image, first, first + count, address_base);
  }
}

const ChainImage* SimMemory::chain() const {
  return held_ && held_->nodes == held_->image.chain.nodes() ? &held_->image : nullptr;
}

void SimMemory::write_held() {
  if (!held_) return;
  write_links(memory_.bytes(), held_->image, held_->written, held_->nodes, held_->address_base);
  held_->written = held_->nodes;
}

}  // namespace percycle::sim
