#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/report_data.hpp"

namespace percycle {

/// The page's first table: a column per card, measured ones first, with its key figures, memory,
/// clock and missing points. A document without these has no column. `cards` have `title`, `slug`
/// and the labels of their `devices`, `rows` a `label` and a cell per card with `text`, `share` of
/// the limit, the words of the `other` API if it differs and, to sort by, `value`.
nlohmann::json device_overview(const ReportData& data);

/// "Measured 2026-11-21. System: Linux 6.1. Driver: 580.159.04. percycle 0.1.0, preset quick."
std::string run_facts(const ReportData& data);

}  // namespace percycle
