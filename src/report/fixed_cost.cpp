#include "report/fixed_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace percycle {
namespace {

constexpr double kMostTimes = 2;  // the work then takes as long as the fixed cost

struct SizedTime {
  double size = 0;
  double ns = 0;
  PointRow* row = nullptr;
};

/// The finished points of the curve, by size.
std::vector<SizedTime> curve_of(const std::vector<PointRow*>& rows) {
  std::vector<SizedTime> curve;
  for (PointRow* row : rows) {
    if (row->about == nullptr || !row->is_ok()) continue;
    const FixedCostRule& rule = row->about->fixed_cost;
    const Cell* size = rule.size.empty() ? nullptr : find_parameter(*row, rule.size);
    const auto ns = figure(*row, "ns_per_op");
    if (size == nullptr || !ns) continue;
    if (const auto bytes = number_of(*size); bytes && has_words(*row, rule.only)) curve.push_back({*bytes, *ns, row});
  }
  std::ranges::sort(curve, {}, &SizedTime::size);
  return curve;
}

}  // namespace

void note_fixed_cost(const std::vector<PointRow*>& rows) {
  const std::vector<SizedTime> curve = curve_of(rows);
  if (curve.empty()) return;
  const double shortest = std::ranges::min_element(curve, {}, &SizedTime::ns)->ns;
  const auto beyond = std::ranges::find_if(curve, [&](const SizedTime& each) { return each.ns > kMostTimes * shortest; });
  if (beyond == curve.end() || beyond - curve.begin() < 2) return;
  PointRow& row = *(beyond - 1)->row;
  const std::string note = fmt::format("up to here the {} decides the time: at most {:g} times the shortest, {:.0f} ns",
                                       row.about->fixed_cost.cost, kMostTimes, shortest);
  row.notes.push_back(note);
  row.explanations.push_back(note);
}

}  // namespace percycle
