#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/parameters.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// A question to one card.
struct AskedQuestion {
  std::string_view experiment;
  std::vector<std::string_view> words;  ///< of its parameters
  Api api = Api::opencl;
};

AskedQuestion asked_question(const Point& question, Api api);

/// How much the answers of two runs on one card differ through no change at all, in percent: 99 of
/// 100 pairs of runs agree within it. The samples of a run do not show it. By the question's
/// experiment, words and API, from kRunSpreads. On a slope, where the next footprints have other
/// values, a small shift of an edge changes the answer more.
double run_spread_percent(const AskedQuestion& question, bool is_on_slope);

/// Bounds that stand for a value.
struct StatedRange {
  double low = 0;
  double high = 0;
};

/// A value whose bounds are further apart than this percentage is stated as a range.
inline constexpr double kRangePercent = 5;

/// The bounds, if they are far enough apart.
std::optional<StatedRange> stated_range(double low, double high);

/// The range of an answer of a measured device, where 99 of 100 other runs answer, too; at least
/// that of the middle half of its samples. Empty for simulated devices and documents.
std::optional<StatedRange> stated_range(const ReportDevice& device, std::string_view experiment, const PointRow& row,
                                        double value);

}  // namespace percycle
