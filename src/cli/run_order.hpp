#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/load.hpp"

namespace percycle {

/// The paths with those of runs in the order in which the runs began, so that `*.jsonl` names files
/// well. Published files and files that cannot be read keep their places.
std::vector<std::string> in_time_order(std::vector<std::string> paths);

/// Checks the order of record files. Each run may occur once. The last result of a point counts, so
/// a file should not follow a later one.
class RunOrder {
 public:
  /// Throws UsageError if an earlier file holds a run of this file. Warns on stderr if an earlier
  /// file holds a later run of the same device.
  void add(const LoadedFile& file);

 private:
  struct LastRun {
    std::string created;
    std::string file;
  };
  std::map<std::string, std::string> file_of_;  ///< by header id
  std::map<std::string, LastRun> last_;         ///< by device and API
};

}  // namespace percycle
