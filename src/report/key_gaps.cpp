#include "report/key_gaps.hpp"

#include <fmt/format.h>

#include "analysis/seen_level.hpp"
#include "core/outcome.hpp"
#include "report/summary_figures.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

/// The points of one device that were to give the figure of a row.
struct AskedPoints {
  const PointRow* ended = nullptr;  ///< the last without an answer
  bool has_answers = false;
};

/// A finding comes from the walks along its path; its row has the name of path and level:
/// "texture L2".
bool is_of_path(const KeyRow& row, const PointRow& point) {
  const Cell* path = find_parameter(point, parameter::kPath);
  if (!path) return false;
  const std::string name = exact_text_of(*path);
  if (name != kClosestPath) return row.name.starts_with(name + ' ');
  return row.name.starts_with('L') || row.name.starts_with("memory ");
}

AskedPoints asked_points(const KeyRow& row, const ReportDevice& device) {
  const bool is_tlb = row.name.starts_with("TLB ");
  AskedPoints asked;
  const auto rows = device.experiments.find(row.asked ? row.experiment : is_tlb ? experiment::kTlb : experiment::kLatency);
  if (rows == device.experiments.end()) return asked;
  for (const PointRow& point : rows->second) {
    if (row.asked ? !is_asked(point, *row.asked) : !is_tlb && !is_of_path(row, point)) continue;
    if (point.is_ok())
      asked.has_answers = true;
    else
      asked.ended = &point;
  }
  return asked;
}

}  // namespace

std::string gap_words(const KeyRow& row, const KeyColumn& card) {
  if (card.devices.front()->source == Source::published) return "not stated";
  const PointRow* ended = nullptr;
  bool has_answers = false;
  for (const ReportDevice* device : card.devices) {
    const AskedPoints asked = asked_points(row, *device);
    has_answers = has_answers || asked.has_answers;
    if (!ended) ended = asked.ended;
  }
  if (has_answers) return row.asked ? "measured, but not this figure" : "not found";
  return ended ? fmt::format("{}: {}", to_string(ended->status), *ended->reason) : "not measured";
}

}  // namespace percycle
