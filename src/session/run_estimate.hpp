#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace percycle {

/// Points of a plan that are left.
struct PlannedPoints {
  std::size_t points = 0;
  double seconds = 0;  ///< that they take by their definition, see Experiment::planned_time()
};

/// Estimates the share of a run that is done and the time left, in seconds on any clock. Results
/// plan more points than are known at first, so the estimate moves slowly to a new value, at most
/// by a factor of two between two calls.
class RunEstimate {
 public:
  /// `planned`: points of each experiment, as far as they are known.
  RunEstimate(std::vector<PlannedPoints> planned, double now);

  /// Starts an experiment; earlier ones are over.
  void start(std::size_t experiment);
  /// The experiment continues with so many points.
  void plan(PlannedPoints plan);
  /// `planned_s`: the time that the point takes by its definition.
  void finish_point(double now, double planned_s = 0);

  /// 0 to 1; never falls.
  double share();
  /// Seconds left, at least 1; absent until a few points are done.
  std::optional<double> remaining(double now);

  std::size_t done() const { return done_; }

 private:
  double raw_remaining(double now) const;
  /// Points ahead, including points that results will add if later experiments grow as earlier ones
  /// did.
  double points_ahead() const;

  std::vector<PlannedPoints> planned_;
  double begin_;
  std::size_t current_ = 0;
  std::size_t first_plan_ = 0;  ///< of the experiments that are over or under way
  std::size_t whole_plan_ = 0;  ///< with the points that their results planned
  std::size_t open_ = 0;        ///< points of the current experiment that are left
  double open_s_ = 0;           ///< that they take by their definition
  bool is_planned_ = false;     ///< whether the current experiment's first points are in open_
  std::size_t done_ = 0;
  double done_s_ = 0;      ///< that these points took by their definition
  double last_point_ = 0;  ///< when it ended
  double recent_ = 0;      ///< other seconds per point, the last points most
  double shown_share_ = 0;
  std::optional<double> shown_{};
  double shown_at_ = 0;
};

}  // namespace percycle
