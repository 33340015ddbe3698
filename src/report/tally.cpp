#include "report/tally.hpp"

#include <fmt/format.h>

#include <numeric>

namespace percycle {

std::size_t Tally::finished() const { return std::accumulate(by_status.begin(), by_status.end(), std::size_t{0}); }

void count(Tally& tally, const Run& run) {
  for (const PointHistory& point : run.points) {
    if (point.result) {
      ++tally.by_status.at(static_cast<std::size_t>(point.result->outcome.status));
    } else {
      ++tally.unfinished;
    }
  }
}

std::string to_string(const Tally& tally) {
  std::string text = fmt::format("{} {}", tally.by_status[0], to_string(Status::ok));
  for (std::size_t i = 1; i < tally.by_status.size(); ++i) {
    if (tally.by_status[i] > 0) text += fmt::format(", {} {}", tally.by_status[i], to_string(static_cast<Status>(i)));
  }
  if (tally.unfinished > 0) text += fmt::format(", {} unfinished", tally.unfinished);
  return text;
}

}  // namespace percycle
