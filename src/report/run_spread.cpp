#include "report/run_spread.hpp"

#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "vocabulary/chases.hpp"

namespace percycle {
namespace {

struct Spread {
  std::string_view experiment;
  std::string_view test;  ///< empty: all others
  double percent;
  double on_slope = percent;
};

constexpr double kOtherPercent = 2.2;

/// The first row that matches counts.
constexpr Spread kSpreads[]{
    {"access-pattern", "", 7.7},
    {"arithmetic-throughput", "", 0.8},
    {"atomic-handover", "", 99.4},
    {"atomic-heatmap", "", 7.4},
    {"atomic-latency", "", 1.5},
    {"atomic-throughput", "", 25},
    {"cache-bandwidth", "footprint", 2, 36.9},
    {"cache-bandwidth", "", 11.6},
    {"dram-bandwidth", "", 0.3},
    {"geometry", "alias", 4.2},
    {"geometry", "line", 13.9},
    {"geometry", "", 1.4},
    {"l1-bandwidth", "", 0.9},
    {"latency", "", 0.8, 1.9},
    {"launch", "axpy", 54.5},
    {"launch", "barrier", 70.9},
    {"launch", "dependent", 54.7},
    {"launch", "first-instruction", 25.4},
    {"launch", "groups", 98},
    {"launch", "independent", 66.4},
    {"launch", "indirect", 2.4},
    {"launch", "last-instruction", 84},
    {"launch", "round-trip", 66.7},
    {"local-bandwidth", "", 1},
    {"tlb", "entries", 2.8},
    {"tlb", "span", 22.9},
    {"transfer-bandwidth", "latency", 181.5},
    {"transfer-bandwidth", "", 2, 85.9},
};

}  // namespace

double run_spread_percent(const Point& question, bool is_on_slope) {
  const std::string* test = find_word(question.parameters, parameter::kTest);
  for (const Spread& spread : kSpreads) {
    if (spread.experiment != question.experiment) continue;
    if (spread.test.empty() || (test != nullptr && *test == spread.test)) return is_on_slope ? spread.on_slope : spread.percent;
  }
  return kOtherPercent;
}

}  // namespace percycle
