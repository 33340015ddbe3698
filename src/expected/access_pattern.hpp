#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data_words.hpp"

namespace percycle {

/// The bytes that a row of lanes accesses at once: lane i accesses `width` bytes at byte `first` +
/// i * `stride`. `width` divides both.
struct LaneRow {
  std::uint32_t lanes = 32;
  std::uint32_t width = 4;   ///< a power of two
  std::uint32_t stride = 4;  ///< bytes from lane to lane, at least `width`
  std::uint32_t first = 0;

  std::uint64_t asked_bytes() const { return std::uint64_t{lanes} * width; }
  /// Bytes up to the end of the last lane.
  std::uint64_t end() const { return first + std::uint64_t{lanes - 1} * stride + width; }
};

/// The bytes of all granules (lines, sectors) that the row touches. A granule is a power of two,
/// and byte 0 begins one.
std::uint64_t touched_bytes(const LaneRow& row, std::uint64_t granule);

/// The tiles of a region of kernel pair `access_pattern`. A work-group reads a tile per turn, each
/// of its rows of lanes `unroll` rows of it.
struct RowTiles {
  LaneRow row;
  std::uint64_t pitch = 128;    ///< bytes from row to row; a multiple of 4
  std::uint32_t lane_rows = 8;  ///< rows of lanes in a work-group
  std::uint32_t unroll = 4;

  std::uint64_t bytes() const { return pitch * lane_rows * unroll; }
};

/// The sum of each lane of a work-group over tiles `begin` to `end`, modulo 2^32: of a tile the
/// exclusive or of the lane's rows in each 32-bit channel, folded with the factors 1, 3, 5 and 7.
/// The region holds these words.
std::vector<std::uint32_t> row_sums(const RowTiles& tiles, std::uint64_t begin, std::uint64_t end, const DataWords& words);

/// The same of a region with these bytes.
std::vector<std::uint32_t> row_sums(const RowTiles& tiles, std::uint64_t begin, std::uint64_t end,
                                    std::span<const std::byte> region);

}  // namespace percycle
