#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "core/parameters.hpp"
#include "store/impossible.hpp"
#include "vocabulary/latency.hpp"

namespace percycle {
namespace {

constexpr std::size_t kFewest = 6;
constexpr std::int64_t kSpan = 16;  // noise slows neighbouring footprints together
// The kept records have at most 1.003, with all their noise.
constexpr double kFall = 1.2;

struct CurveOfRecord {
  std::vector<std::pair<std::int64_t, double>> points;  ///< footprint and latency
  std::vector<std::size_t> entries;
};

/// The curves of latency, by run and parameters.
std::map<std::string, CurveOfRecord> curves_of(const std::vector<Entry>& entries) {
  std::map<std::string, CurveOfRecord> curves;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto* line = std::get_if<PointRecord>(&entries[i]);
    if (line == nullptr || !line->result.measurement || line->result.point.experiment != experiment::kLatency) continue;
    if (is_published(*line->result.measurement)) continue;
    const auto ns = statistic_median(*line->result.measurement, figures::kNsPerOp);
    Parameters others = line->result.point.parameters;
    const auto footprint = find_integer(others, parameter::kFootprint);
    if (!ns || !footprint) continue;
    others.erase(parameter::kFootprint);
    CurveOfRecord& curve = curves[line->header + ' ' + to_string(others)];
    curve.points.emplace_back(*footprint, *ns);
    curve.entries.push_back(i);
  }
  return curves;
}

}  // namespace

std::vector<Impossible> falling_curves(const NumberedLines& file) {
  std::vector<Impossible> found;
  for (auto& [name, curve] : curves_of(file.entries)) {
    auto& points = curve.points;
    std::ranges::sort(points);
    if (points.size() < kFewest || points.back().first / kSpan < points.front().first) continue;
    const auto third = static_cast<std::ptrdiff_t>(points.size() / 3);
    const auto latency = [](const auto& point) { return point.second; };
    // A load may slow some small footprints, not all of them.
    const double small = latency(*std::ranges::min_element(points.begin(), points.begin() + third, {}, latency));
    const double large = latency(*std::ranges::max_element(points.end() - third, points.end(), {}, latency));
    if (small <= large * kFall) continue;
    found.push_back({file.entry_lines[curve.entries.back()],
                     fmt::format("the latency falls with the footprint: {} ns at {} bytes and around, {} ns at {} bytes", small,
                                 points.front().first, large, points.back().first),
                     curve.entries});
  }
  return found;
}

}  // namespace percycle
