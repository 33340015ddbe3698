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
  std::vector<Comparison> comparison;  ///< with what the driver reports and the catalogue says
};

/// The devices of the files, in the order in which they first appear. Runs belong together when the silicon, the API, the driver (of a
/// simulated device: the model) and their being measured or simulated are the same; of a point measured more than once the last counts.
/// Published figures are no run and left out.
/// Takes the files, which are large, rather than copying what they hold.
std::vector<DeviceAnalysis> analyze(std::vector<LoadedFile> files);

/// The analysis as text: one sentence, tables, the comparison, the evidence.
std::string to_text(const DeviceAnalysis& analysis);

/// One line that names the device and says what kind of data it is.
std::string heading(const DeviceAnalysis& analysis);

nlohmann::json to_json(const DeviceAnalysis& analysis);

}  // namespace percycle
