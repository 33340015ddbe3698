#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement.hpp"
#include "core/words.hpp"

namespace percycle {

/// Units or lines in groups. Members of one group are much more alike than members of two groups.
struct ChipGrouping {
  std::vector<std::vector<std::uint32_t>> groups;  ///< ascending, by their first members
  double within = 0;                               ///< largest distance of a member to its nearest
  double between = 0;                              ///< smallest difference between two groups
};

/// Hit latency of single lines from every unit by one kind of access, from experiment `l2-map`.
struct ChipMap {
  std::string access;
  std::uint32_t units = 0;
  std::vector<std::vector<double>> lines;  ///< ticks of an access, for each line by unit
  bool counts_cycles = true;               ///< the ticks are cycles
  double noise = 0;                        ///< range of a cell's samples, the median of all
  double least = 0;                        ///< of all cells
  double median = 0;
  double most = 0;
  /// From fine to coarse; empty if no gap between distances stands out. The difference of two units
  /// is the root mean square over all lines, the difference of two lines that over all units.
  std::vector<ChipGrouping> unit_groups;
  std::vector<ChipGrouping> line_groups;
};

/// Whether read_chip_maps() reads points of the experiment.
bool shows_chip_map(std::string_view experiment);

/// The maps of a device through one API, one for each kind of access. Pure.
std::vector<ChipMap> read_chip_maps(std::span<const PointResult> results);

/// Whether two maps are of one card.
enum class SameCard { yes, no, unclear };

std::span<const Word<SameCard>> words(SameCard);

struct MapAgreement {
  /// Each line's best correlation with a line of the other map over the units, the median of all
  /// lines. Within a partition, so that the partitions alone do not decide.
  double correlation = 0;
  SameCard verdict = SameCard::unclear;
};

/// Compares two maps by the same access. Empty if their units differ in number or a map shows no
/// differences between units. Pure.
std::optional<MapAgreement> compare_maps(const ChipMap& first, const ChipMap& second);

}  // namespace percycle
