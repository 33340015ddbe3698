#pragma once

#include <nlohmann/json.hpp>

#include "report/report_data.hpp"

namespace percycle {

/// The page's first table: a row per device, measured ones first, with its hierarchy, main figures,
/// clock and missing points. A published device with none of these has no row. `columns` has
/// titles; a cell has `text` and, to sort by, `value`.
nlohmann::json device_overview(const ReportData& data);

}  // namespace percycle
