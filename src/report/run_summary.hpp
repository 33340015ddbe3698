#pragma once

#include <string>

#include "report/report_data.hpp"

namespace percycle {

/// The findings of a run on one screen of 100 columns: at most 15 lines per device, 8 if there are
/// more than two. Per device: hierarchy with its lowest confidence, the presentations' figures,
/// clock, warnings, unsupported points and failures. Published figures are left out.
std::string run_summary(const ReportData& data);

}  // namespace percycle
