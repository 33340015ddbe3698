#include "session/progress.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <utility>

#include "core/printable.hpp"
#include "platform/signals.hpp"

namespace percycle {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(500);

/// Ignores failures: a run continues without its progress.
void write_error(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

}  // namespace

Progress::Progress(ProgressOptions options) : options_(std::move(options)) {
  if (options_.style != ProgressStyle::live || options_.seconds) return;
  // Ctrl-C has to interrupt the thread that waits for a worker.
  const BlockedSignals in_the_new_thread;
  redraws_ = std::jthread([this](const std::stop_token& stop) { redraw_until(stop); });
}

Progress::~Progress() {
  redraws_ = {};
  clear();
}

void Progress::redraw_until(const std::stop_token& stop) {
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    stopped.wait_for(lock, stop, kRedraw, [] { return false; });
    if (!line_.empty() && !stop.stop_requested()) draw();
  }
}

double Progress::now() const {
  if (options_.seconds) return options_.seconds();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Progress::start_device(const std::string& name, std::vector<PlannedExperiment> experiments) {
  const std::lock_guard lock(mutex_);
  device_ = name;
  experiments_ = std::move(experiments);
  begin_ = now();
  std::vector<PlannedPoints> planned;
  for (const PlannedExperiment& experiment : experiments_) planned.push_back(experiment.known);
  estimate_.emplace(std::move(planned), begin_);
}

void Progress::start_experiment(std::size_t experiment) {
  const std::lock_guard lock(mutex_);
  if (!estimate_) return;
  current_ = experiment;
  estimate_->start(experiment);
  if (options_.style == ProgressStyle::live) draw();
  if (options_.style != ProgressStyle::plain) return;
  const ProgressState state = this->state(now());
  const std::string left = remaining_text(state.remaining_s);
  write_error(printable(fmt::format("{}: {} ({} of {}), {}{}", device_, state.step, current_ + 1, experiments_.size(),
                                    clock_text(state.elapsed_s), left.empty() ? "" : ", " + left)) +
              '\n');
}

void Progress::plan(PlannedPoints plan) {
  const std::lock_guard lock(mutex_);
  if (estimate_) estimate_->plan(plan);
}

void Progress::finish_point(double planned_s) {
  const std::lock_guard lock(mutex_);
  if (!estimate_) return;
  estimate_->finish_point(now(), planned_s);
  if (options_.style == ProgressStyle::live) draw();
}

void Progress::finish_device() {
  const std::lock_guard lock(mutex_);
  if (options_.style == ProgressStyle::live && estimate_) {
    const ProgressState whole{device_, fmt::format("{} points", estimate_->done()), 1, now() - begin_};
    write_error("\r\033[K" + progress_line(whole, options_.columns, options_.colour) + '\n');
  }
  line_.clear();
  estimate_.reset();
}

ProgressState Progress::state(double now) {
  return {device_, experiments_[current_].title, estimate_->share(), now - begin_, estimate_->remaining(now)};
}

void Progress::draw() {
  std::string line = progress_line(state(now()), options_.columns, options_.colour);
  if (line == line_) return;
  write_error("\r\033[K" + line);
  line_ = std::move(line);
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (!line_.empty()) write_error("\r\033[K");
  line_.clear();
}

}  // namespace percycle
