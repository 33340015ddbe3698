#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "session/finished_points.hpp"
#include "session/progress.hpp"
#include "session/worker_client.hpp"
#include "store/append.hpp"
#include "store/record.hpp"

namespace percycle {

/// One device's part of a run: its header, already in the file, and its results from an earlier
/// start.
struct DeviceRun {
  Header header;
  FinishedPoints done;
  /// Ended in an earlier run that wrote no line for them: still to be recorded.
  std::vector<PointResult> abandoned;
};

/// The number of points by status, and the first problem.
struct SessionTally {
  std::map<Status, std::size_t> counts;
  std::string first_problem;  ///< of a failed or invalid point; may be empty
  bool skipped_after_fault = false;
  bool stopped = false;  ///< by the user; finished points are on disk
};

/// Measures the points of one device: a WorkerClient, or a script in tests.
using MeasurePoint = std::function<WorkerClient::Answer(const Point&)>;

/// Called before the first of these points is measured: compiles their kernels and reads the
/// machine code, so that no point waits for it.
using ReadAhead = std::function<void(const std::vector<Point>&)>;

struct OpenDevice {
  MeasurePoint measure;
  ReadAhead read_ahead = {};  ///< may be empty
  /// Called with the known points of all headlines, then with those of all that is left, before any
  /// of them is measured: read_ahead() takes less time if the driver keeps what this compiles. May
  /// be empty.
  ReadAhead compile = {};
};

/// An experiment to run, with the user's settings.
struct ChosenExperiment {
  const Experiment* experiment = nullptr;
  Options options;
};

/// The external parts that a session uses.
struct SessionParts {
  RecordFile& file;
  Progress& progress;
  const std::atomic<bool>& stop;
  std::optional<double> time_budget_s;  ///< for the whole session
  std::function<OpenDevice(const DeviceRun&)> open;
};

/// Runs the plan of every experiment on every device and appends each point as it ends: `started`,
/// then its result. The headlines of all experiments come first (is_headline()). Within an
/// experiment points run in an order drawn from the seed; a point planned by two experiments is
/// measured once. A lost device is opened once more. Its remaining points are skipped if it is
/// lost again, its worker dies in three experiments without a result between them, it cannot be
/// opened, or the time budget is over. Those of an experiment are skipped if the worker dies on
/// three of its points in a row. Throws RunError if the file cannot be written.
SessionTally run_session(const std::vector<ChosenExperiment>& experiments, std::vector<DeviceRun>& devices,
                         const SessionParts& parts);

}  // namespace percycle
