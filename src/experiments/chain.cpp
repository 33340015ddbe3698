#include "experiments/chain.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/random.hpp"

namespace percycle {
namespace {

/// The multiplicative inverse of an odd number modulo 2^32 by Newton's iteration, which doubles the correct bits each time
/// (Warren, "Hacker's Delight", 2nd edition, section 10-16).
std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t x = odd;  // right to 3 bits
  for (int i = 0; i < 4; ++i) x *= 2 - odd * x;
  return x;
}

}  // namespace

Chain::Chain(std::uint64_t nodes, ChainOrder order, std::uint64_t seed) {
  if (nodes < 2 || nodes > (std::uint64_t{1} << 31)) throw std::invalid_argument("a chain has 2 to 2^31 nodes");
  nodes_ = static_cast<std::uint32_t>(nodes);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(nodes_ - 1));
  mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  if (order == ChainOrder::sequential) {
    shift_ = 31;  // every step of mix is then the identity on up to 31 bits
    return;
  }
  shift_ = std::max(1u, (bits + 1) / 2);
  SplitMix64 random(seed);
  for (std::size_t i = 0; i < multiply_.size(); ++i) {
    multiply_[i] = static_cast<std::uint32_t>(random()) | 1u;
    add_[i] = static_cast<std::uint32_t>(random());
    inverse_[i] = inverse_of(multiply_[i]);
  }
}

std::uint32_t Chain::mix(std::uint32_t x) const {
  for (std::size_t i = 0; i < multiply_.size(); ++i) {
    if (i > 0) x ^= x >> shift_;
    x = (x * multiply_[i] + add_[i]) & mask_;
  }
  return x;
}

std::uint32_t Chain::unmix(std::uint32_t x) const {
  for (std::size_t i = multiply_.size(); i-- > 0;) {
    x = ((x - add_[i]) * inverse_[i]) & mask_;
    if (i > 0) x ^= x >> shift_;
  }
  return x;
}

std::uint32_t Chain::place(std::uint64_t position) const {
  std::uint32_t x = mix(static_cast<std::uint32_t>(position % nodes_));
  while (x >= nodes_) x = mix(x);
  return x;
}

std::uint32_t Chain::position(std::uint32_t node) const {
  std::uint32_t x = unmix(node);
  while (x >= nodes_) x = unmix(x);
  return x;
}

std::vector<std::uint32_t> Chain::kernel_words() const {
  std::vector<std::uint32_t> words{nodes_, mask_, shift_};
  for (const auto* array : {&multiply_, &add_, &inverse_}) words.insert(words.end(), array->begin(), array->end());
  return words;
}

}  // namespace percycle
