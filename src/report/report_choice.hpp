#pragma once

#include <set>
#include <string>
#include <vector>

#include "store/load.hpp"

namespace percycle {

/// The experiments and devices that a report shows; an empty list stands for all.
class ReportChoice {
 public:
  /// `devices`: parts of their names, in any case.
  ReportChoice(std::vector<std::string> experiments, std::vector<std::string> devices);

  /// Takes everything else out of a file.
  void keep(LoadedFile& file);

  /// Throws UsageError for a name that no file had.
  void check() const;

 private:
  std::vector<std::string> experiments_;
  std::vector<std::string> devices_;
  std::set<std::string> seen_experiments_;
  std::set<std::string> seen_devices_;
};

}  // namespace percycle
