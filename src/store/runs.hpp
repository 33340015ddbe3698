#pragma once

#include <vector>

#include "store/load.hpp"

namespace percycle {

/// What a file says of one point of a run. A point measured more than once (resume, retry) has its last result.
struct PointHistory {
  const Point* point = nullptr;
  const PointResult* result = nullptr;  ///< nullptr: started and never finished, by a crash unless `interrupted`
  bool interrupted = false;             ///< the last line about it says that the user stopped it
};

/// One header and its points, in the order in which they first appear.
struct Run {
  const Header* header = nullptr;
  std::vector<PointHistory> points;
};

/// The file's runs, in order. They point into the file, which must outlive them.
std::vector<Run> runs(const LoadedFile& file);

}  // namespace percycle
