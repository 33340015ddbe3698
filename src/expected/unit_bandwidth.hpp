#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace percycle {

/// The rows that one lane of kernel pair `unit_bandwidth` reads: element (lane * stride + row *
/// lanes) for every row of the region, `unroll` rows per loop turn, cyclically.
struct SweepShape {
  std::uint32_t channels = 1;  ///< of an element: 1, 2 or 4
  std::uint32_t lanes = 32;    ///< lanes per row
  std::uint32_t stride = 1;    ///< elements from one lane to the next
  std::uint64_t rows = 32;     ///< a multiple of `unroll`
  std::uint32_t unroll = 8;
};

/// Channel `index` of a region whose channels have `bits` bits: 8, 16 or 32. `word(i)` is the
/// region's 32-bit word i.
template <typename WordAt>
std::uint32_t channel_of(std::uint32_t bits, std::uint64_t index, const WordAt& word) {
  const std::uint32_t channels = 32 / bits;
  const std::uint32_t of_word = word(index / channels) >> (index % channels * bits);
  return bits == 32 ? of_word : of_word & ((1u << bits) - 1);
}

/// A word of a region whose channels are 0 or 1 as numbers of a texel format: floats (32 bits),
/// halves (16 bits) or fractions of 255 (8 bits). The lowest bit of each channel of `random`
/// decides. Drivers may round other fractions differently.
constexpr std::uint32_t zeros_and_ones(std::uint32_t bits, std::uint32_t random) {
  constexpr std::uint32_t kFloatOne = 0x3f800000;
  constexpr std::uint32_t kHalfOne = 0x3c00;
  if (bits == 32) return (random & 1u) * kFloatOne;
  return bits == 8 ? (random & 0x01010101u) * 0xffu : (random & 0x00010001u) * kHalfOne;
}

/// Channel `index` of this region as a kernel reads it: the bits of a 32-bit 0 or 1.
template <typename WordAt>
std::uint32_t float_channel_of(std::uint32_t bits, std::uint64_t index, const WordAt& word) {
  constexpr std::uint32_t kFloatOne = 0x3f800000;
  return channel_of(bits, index, word) == 0 ? 0 : kFloatOne;
}

/// The end value of each lane of kernel pair `unit_bandwidth` in closed form: four sums in each
/// channel, over each turn's rows 0, 4, 8..., 1, 5, 9... and so on; then their exclusive or;
/// then the channels folded with the factors 1, 3, 5 and 7.
class SweepSum {
 public:
  /// `channel(i)` is channel i of the region.
  SweepSum(const SweepShape& shape, const std::function<std::uint32_t(std::uint64_t)>& channel);

  /// The value of lane `lane` after `turns` turns.
  std::uint32_t value(std::uint32_t lane, std::uint64_t turns) const;

 private:
  SweepShape shape_;
  std::uint64_t turns_per_lap_;
  /// Sums over the turns from the first on, by lane, turns, channel and accumulator.
  std::vector<std::uint32_t> sums_;
};

}  // namespace percycle
