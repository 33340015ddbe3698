#include "sim/bound_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

namespace percycle::sim {
namespace {

/// The byte offsets of the nodes in the order of the walk from `start`; empty if the walk leaves
/// the memory or does not return.
std::vector<std::uint64_t> walked_from(std::span<const std::byte> memory, std::uint64_t start, std::uint32_t link_unit,
                                       std::uint32_t buffers) {
  const std::uint64_t buffer_bytes = memory.size() / buffers;
  std::vector<std::uint64_t> offsets;
  std::uint64_t at = start;
  do {
    std::uint32_t link = 0;
    if (at + sizeof link > memory.size() || offsets.size() * sizeof link >= memory.size()) return {};
    offsets.push_back(at);
    std::memcpy(&link, memory.data() + at, sizeof link);
    const std::uint64_t next_buffer = buffers == 1 ? 0 : (at / buffer_bytes + 1) % buffers;
    at = next_buffer * buffer_bytes + std::uint64_t{link} * link_unit;
  } while (at != start);
  return offsets;
}

/// The layout of nodes at these places, the first at byte 0; empty if they are not in rows of one
/// length.
std::optional<ChainLayout> layout_of(const std::vector<std::uint64_t>& rising, std::uint32_t link_unit) {
  const auto at = [&](std::size_t node) { return rising[node] - rising[0]; };
  ChainLayout layout{.stride_bytes = at(1), .link_unit = link_unit};
  const auto is_next_row = [&](std::size_t node) { return at(node) != node * layout.stride_bytes; };
  std::size_t columns = 2;
  while (columns < rising.size() && !is_next_row(columns)) ++columns;
  if (columns < rising.size()) {
    layout.columns = columns;
    layout.row_stride_bytes = at(columns);
  }
  for (std::size_t node = 0; node < rising.size(); ++node) {
    if (layout.offset(node) != at(node)) return std::nullopt;
  }
  return layout;
}

std::optional<BoundChain> traced(std::span<const std::byte> memory, std::uint64_t start, std::uint32_t link_unit,
                                 std::uint32_t buffers) {
  const auto offsets = walked_from(memory, start, link_unit, buffers);
  if (offsets.size() < 2) return std::nullopt;
  auto rising = offsets;
  std::sort(rising.begin(), rising.end());
  const auto layout = layout_of(rising, link_unit);
  if (!layout) return std::nullopt;
  std::vector<std::uint32_t> nodes;
  nodes.reserve(offsets.size());
  for (const std::uint64_t offset : offsets) nodes.push_back(static_cast<std::uint32_t>(layout->node_at(offset - rising[0])));
  return BoundChain{{Chain::listed(std::move(nodes)), *layout}, rising[0]};
}

}  // namespace

std::uint32_t BoundChain::link_to(std::uint64_t position) const {
  return static_cast<std::uint32_t>(base / image.layout.link_unit + image.link_to(position, 0));
}

std::uint64_t BoundChain::position_of(std::uint32_t link) const {
  return image.position_of(link - base / image.layout.link_unit, 0);
}

bool BoundChain::has_node_at(std::uint64_t offset) const {
  if (offset < base) return false;
  const std::uint64_t node = image.layout.node_at(offset - base);
  return node < image.chain.nodes() && image.layout.offset(node) == offset - base;
}

void BoundMemory::hold(const ChainImage& image, std::uint64_t first, std::uint64_t count, std::uint64_t address_base) {
  const auto memory = bytes();
  for (std::uint64_t node = first; node < first + count; ++node) {
    const std::uint64_t link = image.link_to(image.chain.position(static_cast<std::uint32_t>(node)) + 1, address_base);
    std::memcpy(memory.data() + image.layout.offset(node), &link, image.layout.pointers ? 8 : 4);
  }
}

void BoundMemory::note_change() {
  static std::atomic<std::uint64_t> versions = 0;
  version_ = ++versions;
  found_.clear();
}

BoundChain BoundMemory::chain_through(std::uint32_t link, std::uint32_t link_unit) {
  const std::uint64_t start = std::uint64_t{link} * link_unit;
  for (const BoundChain& known : found_) {
    if (known.image.layout.link_unit == link_unit && known.has_node_at(start)) return known;
  }
  auto chain = traced(contents(), start, link_unit, buffers_);
  if (!chain) throw std::invalid_argument("the simulated device finds no chain of evenly placed nodes where a kernel walks one");
  return found_.emplace_back(std::move(*chain));
}

std::span<std::byte> ConstantMemory::bytes() { throw std::logic_error("a kernel writes its constants"); }

}  // namespace percycle::sim
