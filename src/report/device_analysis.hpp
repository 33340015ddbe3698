#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/hierarchy.hpp"
#include "report/cache_comparison.hpp"
#include "store/load.hpp"

namespace percycle {

/// What all runs on one device through one API say together.
struct DeviceAnalysis {
  Header header;  ///< of the last run
  std::size_t runs = 0;
  std::size_t points = 0;  ///< that were finished
  Hierarchy hierarchy;
  std::vector<CacheComparison> comparison;  ///< with what the driver reports and the catalogue says
};

/// Whether two runs belong together: of the same silicon, API and driver (of a simulated device: model).
bool same_device(const Header& a, const Header& b);

/// Brings together what runs measured, file after file.
class AnalysisCollector {
 public:
  AnalysisCollector();
  ~AnalysisCollector();
  AnalysisCollector(const AnalysisCollector&) = delete;
  AnalysisCollector& operator=(const AnalysisCollector&) = delete;

  /// Of a point measured more than once the last counts (later_counts()). Published figures are no run and left out.
  void add(LoadedFile&& file);

  /// The devices in the order in which they first appear. Called once.
  std::vector<DeviceAnalysis> finish();

 private:
  struct Collected;
  std::vector<Collected> devices_;
};

/// The devices of the files, by an AnalysisCollector. Takes the files, which are large, rather than copying what they hold.
std::vector<DeviceAnalysis> analyze(std::vector<LoadedFile> files);

/// The analysis as text: one sentence, tables, the comparison, the evidence.
std::string to_text(const DeviceAnalysis& analysis);

/// One line that names the device and says what kind of data it is.
std::string heading(const DeviceAnalysis& analysis);

nlohmann::json to_json(const DeviceAnalysis& analysis);

}  // namespace percycle
