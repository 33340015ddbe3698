#include "analysis/constant_words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analysis/thresholds.hpp"
#include "core/figures.hpp"
#include "stats/least_squares.hpp"
#include "vocabulary/constant_words.hpp"

namespace percycle {
namespace {

using TimesByWords = std::map<std::int64_t, const Measurement*>;

/// The medians of all measurements; empty if one lacks the statistic.
std::vector<double> medians_of(const TimesByWords& points, const char* statistic) {
  std::vector<double> medians;
  for (const auto& [words, measurement] : points) {
    const auto found = measurement->statistics.find(statistic);
    if (found == measurement->statistics.end()) return {};
    medians.push_back(found->second.median);
  }
  return medians;
}

std::optional<ConstantWords> line_through(const TimesByWords& points) {
  ConstantWords found;
  std::vector<double> times = medians_of(points, figures::kCyclesPerOp);
  if (times.empty()) {
    found.in_cycles = false;
    times = medians_of(points, figures::kNsPerOp);
  }
  if (static_cast<double>(times.size()) < word_thresholds.fewest_counts || points.begin()->first != 1) return std::nullopt;
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(times.size()), 2);
  Eigen::Index row = 0;
  for (const auto& [words, measurement] : points) columns.row(row++) << 1, static_cast<double>(words - 1);
  const auto fit = fit_columns(columns, as_column(times));
  if (!fit) return std::nullopt;
  found.most_words = static_cast<std::uint64_t>(points.rbegin()->first);
  found.one_word = times.front();
  found.most = times.back();
  found.each_further = fit->coefficients[1];
  const Eigen::VectorXd rest = as_column(times) - columns * fit->coefficients;
  found.unevenness = rest.cwiseAbs().maxCoeff() / found.most;
  return found;
}

}  // namespace

std::vector<ConstantWords> read_constant_words(std::span<const PointResult> results) {
  std::map<std::int64_t, TimesByWords> by_bytes;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kConstantWords || !result.measurement) continue;
    by_bytes[integer(result.point.parameters, parameter::kBytes)][integer(result.point.parameters, parameter::kWords)] =
        &*result.measurement;
  }
  std::vector<ConstantWords> all;
  for (const auto& [bytes, points] : by_bytes) {
    if (auto found = line_through(points)) {
      found->bytes = static_cast<std::uint64_t>(bytes);
      all.push_back(*found);
    }
  }
  return all;
}

}  // namespace percycle
