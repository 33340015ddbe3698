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

/// One device's part of a run: its header, already in the file, and what the file holds of it from an earlier start.
struct DeviceRun {
  Header header;
  FinishedPoints done;
  std::vector<PointResult> abandoned;  ///< ended with an earlier start without a line of their own: still to be recorded
};

/// How many points ended in each way, and the first that ended badly.
struct SessionTally {
  std::map<Status, std::size_t> counts;
  std::string first_problem;  ///< of a failed or invalid point; empty when there is none
  bool skipped_after_fault = false;
  bool stopped = false;  ///< by the user; what is finished is on disk
};

/// Measures the points of one device: a WorkerClient in real life, a script in tests.
using MeasurePoint = std::function<WorkerClient::Answer(const Point&)>;

/// Called before the first of these points is measured: compiles what they time and reads its machine code, so that no point waits for that.
using ReadAhead = std::function<void(const std::vector<Point>&)>;

struct OpenDevice {
  MeasurePoint measure;
  ReadAhead read_ahead = {};  ///< may be empty
};

/// An experiment that is to be run, with what the user asked of it.
struct ChosenExperiment {
  const Experiment* experiment = nullptr;
  Options options;
};

/// What a session needs of the outside.
struct SessionParts {
  RecordFile& file;
  Progress& progress;
  const std::atomic<bool>& stop;
  std::optional<double> time_budget_s;  ///< for the whole session
  std::function<OpenDevice(const DeviceRun&)> open;
};

/// Runs the plan of every experiment on every device, appending each point as it ends: `started`, then its result. Points run in an order
/// drawn from the seed; a point that two experiments ask for is measured once. A device that is lost is opened once more; when it is lost again, its remaining points are skipped; so they are
/// when its worker dies on three points in a row, when it cannot be opened, or when the time budget is used up. Throws RunError when the
/// file cannot be written.
SessionTally run_session(const std::vector<ChosenExperiment>& experiments, std::vector<DeviceRun>& devices,
                         const SessionParts& parts);

}  // namespace percycle
