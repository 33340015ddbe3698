#include "session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "presentation/headlines.hpp"
#include "presentation/presentation.hpp"
#include "session/compile_pool.hpp"
#include "session/messages.hpp"
#include "store/header_names.hpp"

namespace percycle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDeathsInARow = 3;

/// Shuffles the points by the seed, so that drift does not look like an effect of size.
void shuffle(std::vector<Point>& points, std::uint64_t seed) {
  SplitMix64 random(seed);
  for (std::size_t left = points.size(); left > 1; --left) std::swap(points[left - 1], points[random() % left]);
}

/// The experiment of a point: an experiment may plan points of another one, on which it builds.
const Experiment& experiment_of(const Point& point, const Experiment& asking) {
  if (point.experiment == asking.name()) return asking;
  const Experiment* other = find_experiment(point.experiment);
  if (other == nullptr) throw std::logic_error(fmt::format("{} plans points of '{}'", asking.name(), point.experiment));
  return *other;
}

/// A planned point that has no result yet.
struct OpenPoint {
  Point point;
  std::optional<std::string> unsupported;  ///< why the device cannot run it
};

/// Seconds that a point takes by its definition; 0 on simulated devices, whose time is not real.
double planned_s(const Header& header, const Point& point, const Experiment& asking) {
  return header.simulated() ? 0 : static_cast<double>(experiment_of(point, asking).planned_time(point).count());
}

/// A part of a run: the headlines of an experiment, or all that is left of it.
struct Step {
  std::size_t experiment = 0;
  bool headlines_only = false;

  /// The points of a plan that the step measures. Headlines may build on points of other
  /// experiments, and on a plan that has none yet.
  std::vector<Point> wanted(std::vector<Point> plan, const Experiment& asking) const {
    const auto is_own_headline = [&](const Point& point) { return point.experiment == asking.name() && is_headline(point); };
    if (headlines_only && std::ranges::any_of(plan, is_own_headline)) {
      std::erase_if(plan, [&](const Point& point) { return point.experiment == asking.name() && !is_headline(point); });
    }
    return plan;
  }
};

/// Runs the plan of one device.
class DeviceSession {
 public:
  DeviceSession(DeviceRun& run, std::string name, const SessionParts& parts, Clock::time_point begin, SessionTally& tally)
      : run_(run),
        name_(std::move(name)),
        parts_(parts),
        begin_(begin),
        tally_(tally),
        device_(parts.open(run)),
        durability_(run.header.simulated() ? Durability::process : Durability::machine) {}

  /// Runs everything this experiment plans, including refinements and points of other experiments;
  /// only the headlines if `step` says so. False if the user stopped it.
  bool carry_out(const ChosenExperiment& chosen, const Step& step) {
    const auto& [asking, options] = chosen;
    const Experiment& experiment = *asking;
    for (std::uint64_t generation = 0;; ++generation) {
      if (parts_.stop) return false;
      // The first plan is recorded as skipped; points that would follow from it are planned when
      // the run is resumed.
      if (generation > 0 && budget_is_spent()) return true;
      std::vector<Point> points = step.wanted(experiment.plan(run_.header.device, options, run_.done.all()), experiment);
      std::erase_if(points, [&](const Point& point) { return run_.done.contains(point); });
      if (points.empty()) return true;
      shuffle(points, options.seed ^ fnv1a(experiment.name()) ^ generation);
      std::vector<OpenPoint> open;
      PlannedPoints plan{.points = points.size()};
      for (auto& point : points) {
        auto reason = experiment_of(point, experiment).unsupported(run_.header.device, point);
        open.push_back({std::move(point), std::move(reason)});
        if (!open.back().unsupported) plan.seconds += planned_s(run_.header, open.back().point, experiment);
      }
      parts_.progress.plan(plan);
      read_ahead(open);
      for (const OpenPoint& each : open) {
        if (parts_.stop) return false;
        if (!measure(each)) return false;
        parts_.progress.finish_point(each.unsupported ? 0 : planned_s(run_.header, each.point, experiment));
      }
    }
  }

  /// Compiles what these steps need as far as their plans are known. A time budget is for
  /// headlines first: most other points may lie beyond it.
  void compile(const std::vector<ChosenExperiment>& experiments, std::span<const Step> steps) {
    if (!device_.compile || steps.empty() || parts_.stop || !skip_reason_.empty()) return;
    if (parts_.time_budget_s && !steps.front().headlines_only) return;
    if (!is_kept(compiled_seconds_, ahead_seconds_)) return;
    std::vector<Point> points;
    for (const Step& step : steps) {
      const auto& [asking, options] = experiments[step.experiment];
      for (Point& point : step.wanted(asking->plan(run_.header.device, options, run_.done.all()), *asking)) {
        if (!run_.done.contains(point) && !experiment_of(point, *asking).unsupported(run_.header.device, point))
          points.push_back(std::move(point));
      }
    }
    if (points.empty()) return;
    const auto begin = Clock::now();
    device_.compile(points);
    compiled_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
    compile_seconds_ += compiled_seconds_;
    ahead_seconds_ = 0;
  }

  /// Records the end of a point.
  void finish(PointResult result) {
    try {
      append(PointRecord{run_.header.id, result});
    } catch (const std::invalid_argument& impossible) {
      result = not_a_measurement(std::move(result), impossible.what());
      append(PointRecord{run_.header.id, result});
    }
    const Status status = result.outcome.status;
    ++tally_.counts[status];
    if ((status == Status::failed || status == Status::invalid) && tally_.first_problem.empty()) {
      tally_.first_problem =
          fmt::format("{} on {}: {}: {}", to_string(result.point), name_, to_string(status), result.outcome.reason);
    }
    run_.done.add(std::move(result));
  }

 private:
  bool budget_is_spent() const {
    return parts_.time_budget_s && std::chrono::duration<double>(Clock::now() - begin_).count() >= *parts_.time_budget_s;
  }

  void read_ahead(const std::vector<OpenPoint>& open) {
    // A time budget is for points: those beyond it need no machine code.
    if (!device_.read_ahead || parts_.time_budget_s || parts_.stop || !skip_reason_.empty()) return;
    std::vector<Point> points;
    for (const auto& [point, unsupported] : open) {
      if (!unsupported) points.push_back(point);
    }
    if (points.empty()) return;
    const auto begin = Clock::now();
    device_.read_ahead(points);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    ahead_seconds_ += seconds;
    compile_seconds_ += seconds;
  }

  /// Measures one point. False if the user stopped it.
  bool measure(const OpenPoint& open) {
    const auto& [point, unsupported] = open;
    if (skip_reason_.empty() && budget_is_spent()) {
      finish({point, {Status::skipped, fmt::format("the time budget of {} s was used up", *parts_.time_budget_s)}, std::nullopt});
      return true;
    }
    if (unsupported) {
      finish({point, {Status::unsupported, *unsupported}, std::nullopt});
      return true;
    }
    if (const std::string& reason = skip_reason(point.experiment); !reason.empty()) {
      tally_.skipped_after_fault = true;
      finish({point, {Status::skipped, reason}, std::nullopt});
      return true;
    }
    append(Started{run_.header.id, point});
    const auto sent = Clock::now();
    auto answer = device_.measure(point);
    if (!run_.header.simulated()) {
      answer.result.seconds = std::chrono::duration<double>(Clock::now() - sent).count() - answer.code_seconds;
      const double compiling = std::exchange(compile_seconds_, 0) + answer.code_seconds;
      if (compiling > 0) answer.result.compile_seconds = compiling;
    }
    using Ending = WorkerClient::Answer::Ending;
    // A signal for the whole group of processes also ends a driver's compiler, which then reports
    // an error.
    const Status status = answer.result.outcome.status;
    const bool is_cut_short =
        parts_.stop && (answer.kind == Ending::refused || status == Status::failed || status == Status::invalid);
    if (answer.kind == Ending::interrupted || is_cut_short) {
      append(Interrupted{run_.header.id, point});
      return false;
    }
    count_death(point.experiment, answer.kind == Ending::ended);
    if (answer.kind == Ending::lost && ++losses_ == 2) skip_reason_ = "the device was lost twice";
    if (answer.kind == Ending::refused) {
      skip_reason_ = fmt::format("the device cannot be opened: {}", answer.text);
      answer.result = {point, {Status::failed, skip_reason_}, std::nullopt};
    }
    finish(std::move(answer.result));
    return true;
  }

  /// Why the points of an experiment are not measured any more; empty if they are.
  const std::string& skip_reason(const std::string& experiment) const {
    const auto given_up = given_up_.find(experiment);
    return skip_reason_.empty() && given_up != given_up_.end() ? given_up->second : skip_reason_;
  }

  /// Three deaths in a row cost an experiment: a driver's compiler may die of one feature. Deaths
  /// in three experiments without a result between them cost the device.
  void count_death(const std::string& experiment, bool died) {
    if (!died) {
      deaths_in_a_row_.clear();
      return;
    }
    if (++deaths_in_a_row_[experiment] == kDeathsInARow)
      given_up_[experiment] = fmt::format("the driver died on {} points of {} in a row", kDeathsInARow, experiment);
    if (deaths_in_a_row_.size() == kDeathsInARow)
      skip_reason_ = fmt::format("the driver died in {} experiments in a row", kDeathsInARow);
  }

  void append(const Record& record) { parts_.file.append(record, durability_); }

  DeviceRun& run_;
  std::string name_;
  const SessionParts& parts_;
  Clock::time_point begin_;
  SessionTally& tally_;
  OpenDevice device_;
  Durability durability_;
  double compile_seconds_ = 0;                    // since the last point
  double compiled_seconds_ = 0;                   // by the last compile()
  double ahead_seconds_ = 0;                      // by read_ahead() since then
  std::string skip_reason_;                       // for all points to come; empty: none
  std::map<std::string, std::string> given_up_;   // experiments, with the reason
  std::map<std::string, int> deaths_in_a_row_{};  // by experiment, since the last answer
  int losses_ = 0;
};

}  // namespace

namespace {

/// A run's steps, with the points that are known before any is measured: first the headlines of all
/// experiments, so that a run that ends early has them, then the rest in the order of the
/// experiments.
struct Schedule {
  std::vector<Step> steps;
  std::vector<PlannedExperiment> planned;  ///< of each step

  /// The steps whose programs are compiled together before step `i`: all headlines, then the rest.
  /// Empty if an earlier step did it.
  std::span<const Step> compiled_at(std::size_t i) const {
    const auto is_headline_step = [](const Step& step) { return step.headlines_only; };
    const auto headlines = static_cast<std::size_t>(std::ranges::count_if(steps, is_headline_step));
    if (i == headlines) return std::span(steps).subspan(headlines);
    return i == 0 ? std::span(steps).first(headlines) : std::span<const Step>();
  }

  Schedule(const std::vector<ChosenExperiment>& experiments, const DeviceRun& run) {
    std::vector<std::size_t> order(experiments.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::vector<Point>> plans;
    for (const auto& [experiment, options] : experiments) plans.push_back(experiment->plan(run.header.device, options, {}));
    std::vector<std::size_t> by_rank = order;
    std::ranges::stable_sort(by_rank, {}, [&](std::size_t i) { return headline_rank(experiments[i].experiment->name()); });
    for (const std::size_t i : by_rank) {
      if (has_headlines(experiments[i].experiment->name())) add(*experiments[i].experiment, plans[i], run, {i, true});
    }
    for (const std::size_t i : order) add(*experiments[i].experiment, plans[i], run, {i, false});
  }

 private:
  void add(const Experiment& experiment, const std::vector<Point>& plan, const DeviceRun& run, const Step& step) {
    PlannedPoints known;
    for (const Point& point : step.wanted(plan, experiment)) {
      if (run.done.contains(point) || (!step.headlines_only && is_headline(point))) continue;
      ++known.points;
      if (point.experiment != experiment.name()) continue;
      const double seconds = planned_s(run.header, point, experiment);
      if (seconds > 0 && !experiment.unsupported(run.header.device, point)) known.seconds += seconds;
    }
    if (step.headlines_only && known.points == 0) return;
    steps.push_back(step);
    planned.push_back({presentation_of(experiment.name()).title + (step.headlines_only ? ", headlines" : ""), known});
  }
};

}  // namespace

SessionTally run_session(const std::vector<ChosenExperiment>& experiments, std::vector<DeviceRun>& devices,
                         const SessionParts& parts) {
  SessionTally tally;
  const auto begin = Clock::now();
  std::vector<const Header*> headers;
  for (const auto& run : devices) headers.push_back(&run.header);
  const auto names = header_names(headers);
  for (auto& run : devices) {
    const std::string& name = names.at(run.header.id);
    const Schedule schedule(experiments, run);
    parts.progress.start_device(fmt::format("{} ({})", name, to_string(run.header.device.api)), schedule.planned);
    DeviceSession session(run, name, parts, begin, tally);
    for (auto& result : std::exchange(run.abandoned, {})) session.finish(std::move(result));
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      parts.progress.start_experiment(i);
      session.compile(experiments, schedule.compiled_at(i));
      if (!session.carry_out(experiments[schedule.steps[i].experiment], schedule.steps[i])) {
        parts.progress.clear();
        tally.stopped = true;
        return tally;
      }
    }
    parts.progress.finish_device();
  }
  parts.progress.clear();
  return tally;
}

}  // namespace percycle
