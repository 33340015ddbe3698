#include "report/scheduler_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/schedulers.hpp"
#include "core/figures.hpp"
#include "core/parameters.hpp"
#include "presentation/presentation.hpp"

namespace percycle {
namespace {

std::optional<double> rate_of_pair(const PointResult& result) {
  if (result.outcome.status != Status::ok || !result.measurement) return std::nullopt;
  const auto& statistics = result.measurement->statistics;
  for (const std::string& name : presentation_of(result.point.experiment).grids.front().figures) {
    if (const auto found = statistics.find(name); found != statistics.end()) return found->second.median;
  }
  return std::nullopt;
}

}  // namespace

std::string scheduler_text(const std::string& experiment, const std::vector<const PointResult*>& results) {
  std::vector<SubgroupPair> pairs;
  std::map<std::int64_t, std::map<std::int64_t, double>> rows;
  std::string others;
  for (const PointResult* result : results) {
    const auto rate = rate_of_pair(*result);
    if (!rate) {
      others +=
          fmt::format("  {}: {}: {}\n", to_string(result->point), to_string(result->outcome.status), result->outcome.reason);
      continue;
    }
    const std::int64_t first = integer(result->point.parameters, "first");
    const std::int64_t second = integer(result->point.parameters, "second");
    pairs.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), *rate});
    rows[second][first] = *rate;
  }
  std::string text = experiment + '\n';
  if (pairs.empty()) return text + others;
  text += "  rate of two subgroups, by their numbers\n";
  for (const auto& [second, row] : rows) {
    text += fmt::format("  {:>4}:", second);
    for (const auto& [first, rate] : row) text += fmt::format(" {:.4g} ({})", rate, first);
    text += '\n';
  }
  return text + fmt::format("  {}\n", scheduler_sentence(pairs)) + others;
}

}  // namespace percycle
