#include "core/chain.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "core/random.hpp"

namespace percycle {
namespace {

// A shift of 31 makes each xor-shift of mix the identity on up to 31 bits; no random chain uses it.
constexpr std::uint32_t kNoShift = 31;

constexpr std::uint32_t kTexelRowShift = 16;

/// The multiplicative inverse of an odd number modulo 2^32. Newton's iteration doubles the correct
/// bits each time (Warren, "Hacker's Delight", 2nd edition, section 10-16).
std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t x = odd;  // correct to 3 bits
  for (int i = 0; i < 4; ++i) x *= 2 - odd * x;
  return x;
}

}  // namespace

Chain::Chain(std::uint64_t nodes, ChainOrder order, std::uint64_t seed, std::uint64_t group) : order_(order) {
  if (nodes < 2 || nodes > (std::uint64_t{1} << 31)) throw std::invalid_argument("a chain has 2 to 2^31 nodes");
  if (!std::has_single_bit(group) || nodes % group != 0)
    throw std::invalid_argument("a group is a power of two that divides the chain");
  arithmetic_.groups = static_cast<std::uint32_t>(nodes / group);
  arithmetic_.group = static_cast<std::uint32_t>(group);
  const auto bits_for = [order](std::uint32_t count) {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(count - 1));
    ChainArithmetic::Bits result;
    result.mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    result.shift = order == ChainOrder::sequential ? kNoShift : std::max(1u, (bits + 1) / 2);
    return result;
  };
  arithmetic_.outer = bits_for(arithmetic_.groups);
  arithmetic_.inner = bits_for(arithmetic_.group);
  if (order == ChainOrder::sequential) return;
  SplitMix64 random(seed);
  for (std::size_t i = 0; i < arithmetic_.multiply.size(); ++i) {
    arithmetic_.multiply[i] = static_cast<std::uint32_t>(random()) | 1u;
    arithmetic_.add[i] = static_cast<std::uint32_t>(random());
    arithmetic_.inverse[i] = inverse_of(arithmetic_.multiply[i]);
  }
}

Chain::Chain(const ChainArithmetic& arithmetic)
    : order_(arithmetic.outer.shift == kNoShift ? ChainOrder::sequential : ChainOrder::random), arithmetic_(arithmetic) {}

Chain Chain::listed(std::vector<std::uint32_t> order) {
  const auto nodes = static_cast<std::uint32_t>(order.size());
  const bool sequential = std::is_sorted(order.begin(), order.end());
  List list{std::move(order), std::vector<std::uint32_t>(nodes)};
  for (std::uint32_t position = 0; position < nodes; ++position) list.positions[list.nodes[position]] = position;
  Chain chain(ChainArithmetic{.groups = nodes});
  chain.order_ = sequential ? ChainOrder::sequential : ChainOrder::random;
  chain.list_ = std::make_shared<const List>(std::move(list));
  return chain;
}

bool Chain::operator==(const Chain& other) const {
  if (order_ != other.order_ || arithmetic_ != other.arithmetic_) return false;
  return list_ == other.list_ || (list_ && other.list_ && list_->nodes == other.list_->nodes);
}

std::uint32_t Chain::mix(std::uint32_t x, const ChainArithmetic::Bits& bits) const {
  for (std::size_t i = 0; i < arithmetic_.multiply.size(); ++i) {
    if (i > 0) x ^= x >> bits.shift;
    x = (x * arithmetic_.multiply[i] + arithmetic_.add[i]) & bits.mask;
  }
  return x;
}

std::uint32_t Chain::unmix(std::uint32_t x, const ChainArithmetic::Bits& bits) const {
  for (std::size_t i = arithmetic_.multiply.size(); i-- > 0;) {
    x = ((x - arithmetic_.add[i]) * arithmetic_.inverse[i]) & bits.mask;
    if (i > 0) x ^= x >> bits.shift;
  }
  return x;
}

// A seeded bijection of [0, nodes). The chain links place(i) to place(i + 1 mod nodes): any
// bijection gives a single cycle. It consists of multiply-adds and xor-shifts modulo the next power
// of two, which are invertible (O'Neill, "PCG", HMC-CS-2014-0905, section 5.4). A result outside
// [0, nodes) is mapped again until it is inside ("cycle walking": Black and Rogaway, "Ciphers with
// Arbitrary Finite Domains", 2002, method 2).
std::uint32_t Chain::place(std::uint64_t position) const {
  const auto within = static_cast<std::uint32_t>(position % nodes());
  if (list_) return list_->nodes[within];
  std::uint32_t x = mix(within / arithmetic_.group, arithmetic_.outer);
  while (x >= arithmetic_.groups) x = mix(x, arithmetic_.outer);
  return x * arithmetic_.group + mix(within % arithmetic_.group, arithmetic_.inner);
}

std::uint32_t Chain::position(std::uint32_t node) const {
  if (list_) return list_->positions[node];
  std::uint32_t x = unmix(node / arithmetic_.group, arithmetic_.outer);
  while (x >= arithmetic_.groups) x = unmix(x, arithmetic_.outer);
  return x * arithmetic_.group + unmix(node % arithmetic_.group, arithmetic_.inner);
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
  const std::uint64_t node = chain.place(position);
  if (layout.texel_step > 0)
    return node % layout.columns * layout.texel_step | node / layout.columns * layout.texel_step << kTexelRowShift;
  const std::uint64_t offset = layout.offset(node);
  return layout.pointers ? address_base + offset : offset / layout.link_unit;
}

std::uint64_t ChainImage::position_of(std::uint64_t link, std::uint64_t address_base) const {
  if (layout.texel_step > 0) {
    const std::uint64_t column = link % (std::uint64_t{1} << kTexelRowShift) / layout.texel_step;
    const std::uint64_t row = (link >> kTexelRowShift) / layout.texel_step;
    return chain.position(static_cast<std::uint32_t>(row * layout.columns + column));
  }
  const std::uint64_t offset = layout.pointers ? link - address_base : link * layout.link_unit;
  return chain.position(static_cast<std::uint32_t>(layout.node_at(offset)));
}

}  // namespace percycle
