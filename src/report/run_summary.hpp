#pragma once

#include <string>
#include <vector>

#include "report/key_figures.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// The runs of some files: a device through one API has one column of the table. Published figures
/// are left out.
struct RunSummary {
  std::vector<const ReportDevice*> devices;
  KeyFigures figures;
};

/// `data` must outlive the summary.
RunSummary run_summary(const ReportData& data);

/// In 80 columns: the runs with the checks that spoil their figures, the table of key figures, then
/// the lines of each device: hierarchy in words, clock, warnings, unsupported points and failures.
/// With more than two devices these are only the number of warnings or the failures. Empty without
/// a device.
std::string to_text(const RunSummary& summary);

}  // namespace percycle
