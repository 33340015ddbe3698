#include "core/chain.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "core/random.hpp"

namespace percycle {
namespace {

// Makes every xor-shift of mix the identity on up to 31 bits; no random chain has it.
constexpr std::uint32_t kNoShift = 31;

/// The multiplicative inverse of an odd number modulo 2^32 by Newton's iteration, which doubles the correct bits each time
/// (Warren, "Hacker's Delight", 2nd edition, section 10-16).
std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t x = odd;  // right to 3 bits
  for (int i = 0; i < 4; ++i) x *= 2 - odd * x;
  return x;
}

}  // namespace

Chain::Chain(std::uint64_t nodes, ChainOrder order, std::uint64_t seed, std::uint64_t group) : order_(order) {
  if (nodes < 2 || nodes > (std::uint64_t{1} << 31)) throw std::invalid_argument("a chain has 2 to 2^31 nodes");
  if (!std::has_single_bit(group) || nodes % group != 0)
    throw std::invalid_argument("a group is a power of two that divides the chain");
  groups_ = static_cast<std::uint32_t>(nodes / group);
  group_ = static_cast<std::uint32_t>(group);
  const auto bits_for = [order](std::uint32_t count) {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(count - 1));
    Bits result;
    result.mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    result.shift = order == ChainOrder::sequential ? kNoShift : std::max(1u, (bits + 1) / 2);
    return result;
  };
  outer_ = bits_for(groups_);
  inner_ = bits_for(group_);
  if (order == ChainOrder::sequential) return;
  SplitMix64 random(seed);
  for (std::size_t i = 0; i < multiply_.size(); ++i) {
    multiply_[i] = static_cast<std::uint32_t>(random()) | 1u;
    add_[i] = static_cast<std::uint32_t>(random());
    inverse_[i] = inverse_of(multiply_[i]);
  }
}

Chain Chain::from_kernel_words(std::span<const std::uint32_t> words) {
  constexpr std::size_t kHead = 6;
  constexpr std::size_t kFactors = 4;
  if (words.size() < kHead + 3 * kFactors) throw std::invalid_argument("a chain has more kernel words");
  Chain chain;
  chain.groups_ = words[0];
  chain.group_ = words[1];
  chain.outer_ = {words[2], words[3]};
  chain.inner_ = {words[4], words[5]};
  chain.order_ = chain.outer_.shift == kNoShift ? ChainOrder::sequential : ChainOrder::random;
  const auto copy = [&](std::size_t which, auto& to) {
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(kHead + which * kFactors), kFactors, to.begin());
  };
  copy(0, chain.multiply_);
  copy(1, chain.add_);
  copy(2, chain.inverse_);
  return chain;
}

Chain Chain::listed(std::vector<std::uint32_t> order) {
  Chain chain;
  chain.groups_ = static_cast<std::uint32_t>(order.size());
  List list{std::move(order), {}};
  list.positions.resize(list.nodes.size());
  for (std::uint32_t position = 0; position < chain.groups_; ++position) list.positions[list.nodes[position]] = position;
  if (std::is_sorted(list.nodes.begin(), list.nodes.end())) chain.order_ = ChainOrder::sequential;
  chain.list_ = std::make_shared<const List>(std::move(list));
  return chain;
}

bool Chain::operator==(const Chain& other) const {
  const auto arithmetic = [](const Chain& chain) {
    return std::tie(chain.order_, chain.groups_, chain.group_, chain.outer_, chain.inner_, chain.multiply_, chain.add_,
                    chain.inverse_);
  };
  if (arithmetic(*this) != arithmetic(other)) return false;
  return list_ == other.list_ || (list_ && other.list_ && list_->nodes == other.list_->nodes);
}

std::uint32_t Chain::mix(std::uint32_t x, const Bits& bits) const {
  for (std::size_t i = 0; i < multiply_.size(); ++i) {
    if (i > 0) x ^= x >> bits.shift;
    x = (x * multiply_[i] + add_[i]) & bits.mask;
  }
  return x;
}

std::uint32_t Chain::unmix(std::uint32_t x, const Bits& bits) const {
  for (std::size_t i = multiply_.size(); i-- > 0;) {
    x = ((x - add_[i]) * inverse_[i]) & bits.mask;
    if (i > 0) x ^= x >> bits.shift;
  }
  return x;
}

std::uint32_t Chain::place(std::uint64_t position) const {
  const auto within = static_cast<std::uint32_t>(position % nodes());
  if (list_) return list_->nodes[within];
  std::uint32_t x = mix(within / group_, outer_);
  while (x >= groups_) x = mix(x, outer_);
  return x * group_ + mix(within % group_, inner_);
}

std::uint32_t Chain::position(std::uint32_t node) const {
  if (list_) return list_->positions[node];
  std::uint32_t x = unmix(node / group_, outer_);
  while (x >= groups_) x = unmix(x, outer_);
  return x * group_ + unmix(node % group_, inner_);
}

std::vector<std::uint32_t> Chain::kernel_words() const {
  std::vector<std::uint32_t> words{groups_, group_, outer_.mask, outer_.shift, inner_.mask, inner_.shift};
  for (const auto* array : {&multiply_, &add_, &inverse_}) words.insert(words.end(), array->begin(), array->end());
  return words;
}

std::uint64_t ChainLayout::offset(std::uint64_t node) const {
  if (columns == 0) return node * stride_bytes;
  return node % columns * stride_bytes + node / columns * row_stride_bytes;
}

std::uint64_t ChainLayout::span(std::uint64_t nodes) const {
  if (columns == 0 || nodes <= columns) return nodes * stride_bytes;
  const std::uint64_t rows = (nodes + columns - 1) / columns;
  return (columns - 1) * stride_bytes + (rows - 1) * row_stride_bytes + std::min(stride_bytes, row_stride_bytes);
}

std::uint64_t ChainLayout::node_at(std::uint64_t offset) const {
  if (columns == 0) return offset / stride_bytes;
  if (row_stride_bytes < stride_bytes) return offset / stride_bytes + offset % stride_bytes / row_stride_bytes * columns;
  return offset / row_stride_bytes * columns + offset % row_stride_bytes / stride_bytes;
}

std::uint64_t ChainImage::link_to(std::uint64_t position, std::uint64_t address_base) const {
  const std::uint64_t offset = layout.offset(chain.place(position));
  return layout.pointers ? address_base + offset : offset / layout.link_unit;
}

std::uint64_t ChainImage::position_of(std::uint64_t link, std::uint64_t address_base) const {
  const std::uint64_t offset = layout.pointers ? link - address_base : link * layout.link_unit;
  return chain.position(static_cast<std::uint32_t>(layout.node_at(offset)));
}

}  // namespace percycle
