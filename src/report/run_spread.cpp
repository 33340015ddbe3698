#include "report/run_spread.hpp"

#include <string>

#include "core/parameters.hpp"
#include "vocabulary/chases.hpp"
#include "vocabulary/run_spreads.hpp"

namespace percycle {

double run_spread_percent(const Point& question, bool is_on_slope) {
  const std::string* test = find_word(question.parameters, parameter::kTest);
  for (const RunSpread& spread : kRunSpreads) {
    if (spread.experiment != question.experiment) continue;
    if (spread.test.empty() || (test != nullptr && *test == spread.test)) return is_on_slope ? spread.on_slope : spread.percent;
  }
  return kOtherRunSpread;
}

}  // namespace percycle
