#include "expected/access_pattern.hpp"

#include <algorithm>
#include <cstring>

namespace percycle {
namespace {

template <typename WordAt>
std::vector<std::uint32_t> sums_over(const RowTiles& tiles, std::uint64_t begin, std::uint64_t end, const WordAt& word) {
  const LaneRow& row = tiles.row;
  const std::uint64_t pitch = tiles.pitch / sizeof(std::uint32_t);
  const std::uint32_t channels = row.width / sizeof(std::uint32_t);
  std::vector<std::uint32_t> sums(std::size_t{tiles.lane_rows} * row.lanes);
  for (std::uint64_t rows = begin * tiles.lane_rows; rows < end * tiles.lane_rows; ++rows) {
    const std::uint64_t first = rows * tiles.unroll * pitch + row.first / sizeof(std::uint32_t);
    std::uint32_t* of_row = sums.data() + rows % tiles.lane_rows * row.lanes;
    for (std::uint32_t lane = 0; lane < row.lanes; ++lane) {
      const std::uint64_t at = first + std::uint64_t{lane} * row.stride / sizeof(std::uint32_t);
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        std::uint32_t joined = 0;
        for (std::uint32_t i = 0; i < tiles.unroll; ++i) joined ^= word(at + i * pitch + channel);
        of_row[lane] += (2 * channel + 1) * joined;
      }
    }
  }
  return sums;
}

}  // namespace

std::uint64_t touched_bytes(const LaneRow& row, std::uint64_t granule) {
  // No granule between the first and the last is skipped if lanes begin within one of each other.
  if (row.stride <= granule) return ((row.end() - 1) / granule - row.first / granule + 1) * granule;
  return row.lanes * std::max<std::uint64_t>(granule, row.width);
}

std::vector<std::uint32_t> row_sums(const RowTiles& tiles, std::uint64_t begin, std::uint64_t end, const DataWords& words) {
  return sums_over(tiles, begin, end, [&words](std::uint64_t i) { return words.word(i); });
}

std::vector<std::uint32_t> row_sums(const RowTiles& tiles, std::uint64_t begin, std::uint64_t end,
                                    std::span<const std::byte> region) {
  return sums_over(tiles, begin, end, [region](std::uint64_t i) {
    std::uint32_t value = 0;
    std::memcpy(&value, region.data() + i * sizeof value, sizeof value);
    return value;
  });
}

}  // namespace percycle
