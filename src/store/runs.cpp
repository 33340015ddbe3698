#include "store/runs.hpp"

#include <map>
#include <string>
#include <unordered_map>

namespace percycle {
namespace {

/// Sorts each line under its run and point.
class Sorter {
 public:
  explicit Sorter(const LoadedFile& file) {
    runs_.reserve(file.headers.size());
    for (const Header& header : file.headers) {
      run_of_.emplace(header.id, runs_.size());
      runs_.push_back({&header, {}});
    }
    position_of_.resize(runs_.size());
  }

  void operator()(const Started& line) { history(line.header, line.point).last = PointHistory::Last::started; }
  void operator()(const Interrupted& line) { history(line.header, line.point).last = PointHistory::Last::interrupted; }
  void operator()(const PointRecord& line) {
    PointHistory& of = history(line.header, line.result.point);
    of.result = &line.result;
    of.last = PointHistory::Last::result;
  }

  std::vector<Run> take() && { return std::move(runs_); }

 private:
  PointHistory& history(const std::string& header, const Point& point) {
    const std::size_t run = run_of_.at(header);
    std::vector<PointHistory>& points = runs_[run].points;
    const auto [position, is_new] = position_of_[run].try_emplace(to_string(point), points.size());
    if (is_new) points.push_back({.point = &point});
    return points[position->second];
  }

  std::vector<Run> runs_;
  std::map<std::string, std::size_t> run_of_;
  std::vector<std::unordered_map<std::string, std::size_t>> position_of_;
};

}  // namespace

std::vector<Run> runs(const LoadedFile& file) {
  Sorter sorter(file);
  for (const Entry& entry : file.entries) std::visit(sorter, entry);
  return std::move(sorter).take();
}

}  // namespace percycle
