#include "presentation/headlines.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "presentation/configuration.hpp"
#include "presentation/presentation.hpp"

namespace percycle {
namespace {

// The first lines of a summary.
constexpr std::array<std::string_view, 3> kFirstLines{"bandwidth", "atomics", kExecutionLine};

bool shows(const SummaryFigure& wanted, const Parameters& parameters) {
  return has_words(parameters, wanted.only) && std::ranges::all_of(wanted.only_numbers, [&](const auto& named) {
           return find_integer(parameters, named.first) == named.second;
         });
}

}  // namespace

bool is_headline(const Point& point) {
  const Presentation& about = presentation_of(point.experiment);
  if (!about.hierarchy_points.empty() && has_words(point.parameters, about.hierarchy_points)) return true;
  return std::ranges::any_of(about.summary, [&](const SummaryFigure& wanted) { return shows(wanted, point.parameters); });
}

bool has_headlines(const std::string& experiment) {
  const Presentation& about = presentation_of(experiment);
  return !about.hierarchy_points.empty() || !about.summary.empty();
}

int headline_rank(const std::string& experiment) {
  const Presentation& about = presentation_of(experiment);
  if (!about.hierarchy_points.empty()) return 0;
  const auto line = about.summary.empty() ? kFirstLines.end() : std::ranges::find(kFirstLines, about.summary.front().line);
  return 1 + static_cast<int>(line - kFirstLines.begin());
}

}  // namespace percycle
