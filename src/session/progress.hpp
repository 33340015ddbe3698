#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "session/progress_line.hpp"
#include "session/run_estimate.hpp"

namespace percycle {

enum class ProgressStyle {
  none,   ///< --no-progress
  live,   ///< one line per device, rewritten: a terminal
  plain,  ///< one line per experiment: a log
};

struct ProgressOptions {
  ProgressStyle style = ProgressStyle::none;
  bool colour = false;
  std::size_t columns = 80;  ///< of the terminal
  /// A clock for tests; absent: the steady clock, and the line is redrawn twice a second.
  std::function<double()> seconds = {};
};

/// An experiment of a device's run.
struct PlannedExperiment {
  std::string title;      ///< in words
  PlannedPoints known{};  ///< before it starts
};

/// Shows the progress of a run on stderr.
class Progress {
 public:
  explicit Progress(ProgressOptions options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts a device's run and a new estimate.
  void start_device(const std::string& name, std::vector<PlannedExperiment> experiments);
  void start_experiment(std::size_t experiment);
  /// The experiment continues with so many points.
  void plan(PlannedPoints plan);
  /// `planned_s`: the time that the point takes by its definition.
  void finish_point(double planned_s = 0);
  /// A device's run is over: its line stays.
  void finish_device();
  /// Removes the live line, so that other text can be printed.
  void clear();

 private:
  double now() const;
  ProgressState state(double now);
  void draw();
  void redraw_until(const std::stop_token& stop);

  ProgressOptions options_;
  std::mutex mutex_;
  std::string device_;
  std::vector<PlannedExperiment> experiments_;
  std::size_t current_ = 0;
  std::optional<RunEstimate> estimate_{};
  double begin_ = 0;
  std::string line_;  ///< on the terminal now; empty: none
  std::jthread redraws_;
};

}  // namespace percycle
