#pragma once

#include <vector>

#include "store/load.hpp"

namespace percycle {

/// The lines of a file about one point of a run. If it was measured more than once (resume, retry),
/// the last result counts.
struct PointHistory {
  /// The kind of the last line about the point.
  enum class Last {
    started,      ///< no line says how it ended: percycle or the machine crashed meanwhile
    interrupted,  ///< the user stopped it
    result,
  };

  const Point* point = nullptr;
  const PointResult* result = nullptr;  ///< nullptr: never finished
  Last last = Last::started;
};

/// One header and its points, in the order in which they first appear.
struct Run {
  const Header* header = nullptr;
  std::vector<PointHistory> points;
};

/// The file's runs, in order. They point into the file, which must outlive them.
std::vector<Run> runs(const LoadedFile& file);

}  // namespace percycle
