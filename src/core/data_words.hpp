#pragma once

#include <cstdint>

namespace percycle {

/// A bijection of 32-bit words in which each output bit depends on each input bit: "lowbias32"
/// (Wellons, "Prospecting for Hash Functions", nullprogram.com, 2018).
constexpr std::uint32_t lowbias32(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Incompressible data that the host can compute word by word: kernel pair `fill` writes word(i)
/// into word i of a buffer. Repeats after 2^32 words (16 GiB).
class DataWords {
 public:
  explicit constexpr DataWords(std::uint64_t seed)
      : salt_(lowbias32(static_cast<std::uint32_t>(seed) ^ lowbias32(static_cast<std::uint32_t>(seed >> 32)))) {}

  constexpr std::uint32_t word(std::uint64_t index) const { return lowbias32(static_cast<std::uint32_t>(index) ^ salt_); }
  constexpr std::uint32_t salt() const { return salt_; }

 private:
  std::uint32_t salt_;
};

}  // namespace percycle
