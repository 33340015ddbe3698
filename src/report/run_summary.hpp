#pragma once

#include <string>

#include "report/report_data.hpp"

namespace percycle {

/// What a run found, on one screen of at most 100 columns: for one or two devices at most 15 lines each, for more at most 8 each. Per device: the
/// hierarchy in a sentence with its lowest confidence, the figures that presentations ask for (bandwidths with their share of the limit), the
/// clock, warnings, what was unsupported and what went wrong. Published figures are left out.
std::string run_summary(const ReportData& data);

}  // namespace percycle
