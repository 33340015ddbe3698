#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// Numbers of a record that no measurement gives, though they fit each other.
struct Impossible {
  std::size_t line = 0;              ///< in the file, from 1
  std::string sentence;              ///< names the member and why it cannot be
  std::vector<std::size_t> entries;  ///< the points that it spoils, by their place in the file
};

/// The lines of a file by their numbers.
struct NumberedLines {
  const std::vector<Header>& headers;
  const std::vector<Entry>& entries;
  std::vector<std::size_t> header_lines;
  std::vector<std::size_t> entry_lines;
};

/// Everything impossible in a file, by line. Each rule names a point at most once.
std::vector<Impossible> find_impossible(const NumberedLines& file);

/// A sentence for each rule that a measured point breaks: samples of more units than the device
/// has, no checked result, a device time above the host's, clocks or telemetry that no device has,
/// a footprint below the stride or above its memory.
std::vector<std::string> impossible_numbers(const Header& header, const PointResult& result);

/// Why a moment such as "2026-11-21T09:30:00Z" does not exist; empty if it does.
std::optional<std::string> impossible_moment(std::string_view created);

/// Runs whose points took longer than the time until the next run on the same card.
std::vector<Impossible> overlapping_runs(const NumberedLines& file);

/// Curves of latency that fall with the footprint. Noise moves points; it turns no curve around.
std::vector<Impossible> falling_curves(const NumberedLines& file);

}  // namespace percycle
