#include "report/clock_neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>

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

double mhz_of(const PointRow& row) { return figure(row, "clock_mhz").value(); }

}  // namespace

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
        fmt::format("the clock was {:.0f} MHz, at the points measured before and after it {:.0f} MHz ({:+.1f} %)", mhz, usual,
                    100 * (mhz / usual - 1)));
  }
}

}  // namespace percycle
