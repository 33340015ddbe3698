#include "analysis/translation.hpp"

#include <algorithm>
#include <cmath>

namespace percycle {

double translation_miss_share(const Translation& level, double bytes, double nodes, double together_bytes) {
  if (bytes <= level.reach) return 0;
  const double nodes_of_page = std::max(1.0, nodes * level.page / bytes);
  const double nodes_of_visit = std::clamp(together_bytes * nodes / bytes, 1.0, nodes_of_page);
  const double visits = nodes_of_page / nodes_of_visit;
  return std::pow(1 - level.reach / bytes, (visits - 1) / visits) / nodes_of_visit;
}

std::vector<CurveSample> without_translation(std::span<const CurveSample> curve, std::span<const Translation> known,
                                             double stride_bytes, const Rise* first_edge) {
  std::vector<CurveSample> result(curve.begin(), curve.end());
  for (auto& sample : result) {
    const double asking = first_edge == nullptr ? 1 : first_edge->shape->share(sample.bytes / first_edge->onset);
    for (const auto& level : known) {
      const double share = translation_miss_share(level, sample.bytes, sample.bytes / stride_bytes, sample.together_bytes);
      sample.value -= asking * share * level.penalty;
    }
  }
  return result;
}

}  // namespace percycle
