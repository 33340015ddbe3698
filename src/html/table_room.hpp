#pragma once

#include <cstddef>
#include <vector>

namespace percycle {

/// What a table of the page takes.
struct TableSize {
  std::size_t lines = 0;      ///< that it may show
  double bytes_per_line = 0;  ///< of HTML
  double other_bytes = 0;     ///< its heading, its notes
};

/// How many lines each table may show: as many for all, at most `most`, so that all tables together take no more than `bytes`, but never fewer than
/// kFewestLines. What short tables leave the long ones have.
std::size_t lines_that_fit(const std::vector<TableSize>& tables, double bytes, std::size_t most);

inline constexpr std::size_t kFewestLines = 4;

}  // namespace percycle
