#pragma once

#include <map>
#include <string>

#include "store/load.hpp"

namespace percycle {

/// Looks at record files in the order in which they are named: each run may be there once, and the last result of a point counts.
class RunOrder {
 public:
  /// Throws UsageError where an earlier file holds a run of this one; notes on stderr where one holds a later run of the same device.
  void add(const LoadedFile& file);

 private:
  struct Last {
    std::string created;
    std::string file;
  };
  std::map<std::string, std::string> file_of_;  ///< by a header's id
  std::map<std::string, Last> last_;            ///< by a device and an API
};

}  // namespace percycle
