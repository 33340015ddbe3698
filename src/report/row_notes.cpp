#include "report/row_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>

#include "core/figures.hpp"
#include "core/provenance.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr double kNeighboursAgree = 0.05;
constexpr std::size_t kOnEachSide = 3;
constexpr std::size_t kFewest = 2;  // neighbours needed to decide which is wrong

/// Whether the clock was read while it ran.
bool has_measured_clock(const PointRow& row) {
  const Cell* clock = find_figure(row, "clock");
  if (clock == nullptr || !row.is_ok() || (row.about != nullptr && !row.about->loads_device)) return false;
  const std::string source = exact_text_of(*clock);
  return source == to_string(Provenance::measured_in_kernel) || source == to_string(Provenance::telemetry) ||
         source == to_string(Provenance::calibrated_chain);
}

double mhz_of(const PointRow& row) { return figure(row, figures::kClockMhz).value(); }

/// Notes measured clocks that differ by more than 5 % from the median of up to three rows before
/// and three after.
void note_clock_neighbours(const std::vector<PointRow*>& rows) {
  std::vector<PointRow*> clocked;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(clocked),
               [](const PointRow* row) { return has_measured_clock(*row); });
  for (std::size_t i = 0; i < clocked.size(); ++i) {
    std::vector<double> neighbours;
    const std::size_t end = std::min(clocked.size(), i + 1 + kOnEachSide);
    for (std::size_t k = i > kOnEachSide ? i - kOnEachSide : 0; k < end; ++k) {
      if (k != i) neighbours.push_back(mhz_of(*clocked[k]));
    }
    if (neighbours.size() < kFewest) continue;
    const double usual = median(neighbours);
    const double mhz = mhz_of(*clocked[i]);
    if (std::abs(mhz / usual - 1) <= kNeighboursAgree) continue;
    clocked[i]->notes.push_back(
        {fmt::format("the clock was {}, at the points measured before and after it {} ({:+.1f} %)",
                     in_unit(mhz, 0, unit_text::kMhz), in_unit(usual, 0, unit_text::kMhz), 100 * (mhz / usual - 1))});
  }
}

constexpr double kMostTimes = 2;  // the work then takes as long as the fixed cost

struct SizedTime {
  double size = 0;
  double ns = 0;
  PointRow* row = nullptr;
};

/// The finished points of each curve, by size.
std::map<std::string, std::vector<SizedTime>> curves_of(const std::vector<PointRow*>& rows) {
  std::map<std::string, std::vector<SizedTime>> curves;
  for (PointRow* row : rows) {
    if (row->about == nullptr || !row->is_ok()) continue;
    const FixedCostRule& rule = row->about->fixed_cost;
    const Cell* size = rule.size.empty() ? nullptr : find_parameter(*row, rule.size);
    const auto ns = figure(*row, figures::kNsPerOp);
    if (size == nullptr || !ns) continue;
    const Cell* each = rule.each.empty() ? nullptr : find_parameter(*row, rule.each);
    if (const auto bytes = number_of(*size); bytes && has_words(*row, rule.only))
      curves[each == nullptr ? "" : exact_text_of(*each)].push_back({*bytes, *ns, row});
  }
  for (auto& [value, curve] : curves) std::ranges::sort(curve, {}, &SizedTime::size);
  return curves;
}

/// Notes the largest point of `Presentation::fixed_cost` of at most twice the shortest time, if a
/// larger point and a second one up to there show that this is the size.
void note_fixed_cost(const std::vector<SizedTime>& curve) {
  const double shortest = std::ranges::min_element(curve, {}, &SizedTime::ns)->ns;
  const auto beyond = std::ranges::find_if(curve, [&](const SizedTime& each) { return each.ns > kMostTimes * shortest; });
  if (beyond == curve.end() || beyond - curve.begin() < 2) return;
  PointRow& row = *(beyond - 1)->row;
  row.notes.push_back({fmt::format("up to here the {} decides the time: at most {:g} times the shortest, {:.0f} ns",
                                   row.about->fixed_cost.cost, kMostTimes, shortest),
                       false});
}

}  // namespace

void add_row_notes(const std::vector<PointRow*>& rows) {
  note_clock_neighbours(rows);
  for (const auto& [value, curve] : curves_of(rows)) note_fixed_cost(curve);
}

}  // namespace percycle
