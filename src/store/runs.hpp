#pragma once

#include <vector>

#include "store/load.hpp"

namespace percycle {

/// What a file says of one point of a run. A point measured more than once (resume, retry) has its last result.
struct PointHistory {
  /// What the last line about it is.
  enum class Last {
    started,      ///< nothing says how that ended: it was under way when percycle or the machine crashed
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
