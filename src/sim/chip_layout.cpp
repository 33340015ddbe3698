#include "sim/chip_layout.hpp"

#include <cmath>

#include "core/data_words.hpp"

namespace percycle::sim {
namespace {

struct ChipPlace {
  double x = 0;
  double y = 0;
};

std::uint32_t side_of(std::uint32_t count) { return static_cast<std::uint32_t>(std::ceil(std::sqrt(count))); }

/// The place of number `number` of `count` in a square grid with sides of length `length`: a
/// permutation of the cells, drawn from the salt.
ChipPlace place_of(std::uint32_t number, std::uint32_t count, double length, std::uint32_t salt) {
  const std::uint32_t side = side_of(count);
  const std::uint32_t cells = side * side;
  // The rank of the number's drawn word among those of all cells.
  const std::uint32_t drawn = lowbias32(number ^ salt);
  std::uint32_t cell = 0;
  for (std::uint32_t other = 0; other < cells; ++other) cell += lowbias32(other ^ salt) < drawn ? 1 : 0;
  const std::uint32_t row = cell / side;
  const double step = length / side;
  return {(cell % side + 0.5) * step, (row + 0.5) * step};
}

std::uint32_t salt_of(const ChipLayout& chip, std::uint32_t purpose) {
  return lowbias32(static_cast<std::uint32_t>(chip.seed) ^ lowbias32(static_cast<std::uint32_t>(chip.seed >> 32) + purpose));
}

}  // namespace

std::uint32_t slice_of(const Model& model, std::uint64_t address) {
  const std::uint64_t line = address / model.caches[model.path(MemoryPath::global)->hops.back().cache].line_bytes;
  const std::uint32_t low = lowbias32(static_cast<std::uint32_t>(line) ^ salt_of(*model.chip, 1));
  return lowbias32(low + static_cast<std::uint32_t>(line >> 32)) % model.chip->slices;
}

std::uint32_t partition_of(const ChipLayout& chip, std::uint32_t unit) {
  return lowbias32(unit / chip.units_together ^ salt_of(chip, 2)) % chip.partitions;
}

double hit_cycles(const Model& model, std::uint32_t unit, std::uint32_t slice) {
  const ChipLayout& chip = *model.chip;
  const double length = side_of(chip.slices);
  const std::uint32_t places = (model.units + chip.units_together - 1) / chip.units_together;
  const ChipPlace of_unit = place_of(unit / chip.units_together, places, length, salt_of(chip, 3));
  const ChipPlace of_slice = place_of(slice, chip.slices, length, salt_of(chip, 4));
  const double distance = std::abs(of_unit.x - of_slice.x) + std::abs(of_unit.y - of_slice.y);
  const bool far = partition_of(chip, unit) != slice % chip.partitions;
  return chip.near_cycles + distance * chip.step_cycles + (far ? chip.far_cycles : 0);
}

}  // namespace percycle::sim
