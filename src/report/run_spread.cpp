#include "report/run_spread.hpp"

#include <algorithm>
#include <string>

#include "vocabulary/run_spreads.hpp"

namespace percycle {
namespace {

/// The question of parameters or of the cells that hold them.
AskedQuestion question_of(std::string_view experiment, const auto& parameters, Api api) {
  AskedQuestion asked{.experiment = experiment, .words = {}, .api = api};
  for (const auto& [name, value] : parameters) {
    if (const auto* word = std::get_if<std::string>(&value)) asked.words.push_back(*word);
  }
  return asked;
}

}  // namespace

AskedQuestion asked_question(const Point& question, Api api) {
  return question_of(question.experiment, question.parameters, api);
}

double run_spread_percent(const AskedQuestion& question, bool is_on_slope) {
  for (const RunSpread& spread : kRunSpreads) {
    if (spread.experiment != question.experiment) continue;
    if (!spread.api.empty() && spread.api != to_string(question.api)) continue;
    if (!spread.word.empty() && std::ranges::find(question.words, spread.word) == question.words.end()) continue;
    return is_on_slope ? spread.on_slope : spread.percent;
  }
  return kOtherRunSpread;
}

std::optional<StatedRange> stated_range(double low, double high) {
  if (low <= 0 || high / low <= 1 + kRangePercent / 100) return std::nullopt;
  return StatedRange{low, high};
}

std::optional<StatedRange> stated_range(const ReportDevice& device, std::string_view experiment, const PointRow& row,
                                        double value) {
  if (device.source != Source::measured) return std::nullopt;
  const AskedQuestion question = question_of(experiment, row.parameters, device.header().device.api);
  const double percent = std::max(run_spread_percent(question, false), figure(row, figures::kMadPercent).value_or(0));
  if (percent <= kRangePercent) return std::nullopt;
  return StatedRange{value / (1 + percent / 100), value * (1 + percent / 100)};
}

}  // namespace percycle
