#pragma once

#include <string>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "report/cache_comparison.hpp"
#include "store/load.hpp"

namespace percycle {

/// The analysis of all runs on one device through one API.
struct DeviceAnalysis {
  Header header;  ///< the last run's
  std::size_t runs = 0;
  std::size_t points = 0;  ///< finished
  Hierarchy hierarchy;
  std::vector<CacheComparison> comparison;  ///< with the driver's values and the catalogue's
};

/// Whether two runs belong together: same silicon, API and driver (for a simulated device: model).
bool same_device(const Header& a, const Header& b);

/// Collects the results of runs, file after file.
class AnalysisCollector {
 public:
  AnalysisCollector();
  ~AnalysisCollector();
  AnalysisCollector(const AnalysisCollector&) = delete;
  AnalysisCollector& operator=(const AnalysisCollector&) = delete;

  /// A point measured more than once counts with its last result (later_counts()). Published
  /// figures are left out.
  void add(LoadedFile&& file);

  /// The devices in the order of their first appearance. Call it once.
  std::vector<DeviceAnalysis> finish();

 private:
  struct Collected;
  std::vector<Collected> devices_;
};

/// The devices of the files, by an AnalysisCollector. Takes the files by value, because they are
/// large.
std::vector<DeviceAnalysis> analyze(std::vector<LoadedFile> files);

/// The analysis as text: one sentence, tables, the comparison, the evidence.
std::string to_text(const DeviceAnalysis& analysis);

/// One line with the device and the kind of its data.
std::string heading(const DeviceAnalysis& analysis);

}  // namespace percycle
