#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace percycle {

/// A program of kernel pairs `instruction_cache` and `instruction_sharing`: blocks of additions to
/// eight numbers in turn. All numbers are whole and below 2^24, so that every sum is exact.
struct BlockProgram {
  static constexpr std::uint32_t kNumbers = 8;

  std::uint32_t block = kNumbers * 2;  ///< additions of a block: a multiple of 2 * kNumbers
  std::uint32_t blocks = 1;            ///< of the program
  std::string limit = "blocks";        ///< the kernel's parameter with the blocks that a turn runs
  /// Blocks of another program, whose constants this one must not use.
  std::uint32_t blocks_before = 0;

  /// Each pair of additions to one number adds 1.
  std::uint32_t growth_per_block() const { return block / (2 * kNumbers); }

  /// The statements of all blocks, each behind a check whether the turn ends before it.
  std::string text() const {
    static constexpr std::array<char, kNumbers> kNames{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
    std::string text;
    for (std::uint32_t at = 0; at < blocks; ++at) {
      text += "if (p." + limit + " == " + std::to_string(at) + "u) continue; ";
      for (std::uint32_t i = 0; i < block; ++i) {
        // All constants differ: equal code could be merged.
        const std::uint32_t pair = (blocks_before + at) * growth_per_block() + i / (2 * kNumbers);
        const std::uint32_t down = 17 + 2 * (pair * kNumbers + i % kNumbers);
        const bool adds = i % (2 * kNumbers) < kNumbers;
        text += {kNames[i % kNumbers], ' ', adds ? '+' : '-', '=', ' '};
        text += std::to_string(adds ? down + 1 : down) + ".0f; ";
      }
    }
    return text;
  }
};

}  // namespace percycle
