#include "session/run_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace percycle {
namespace {

constexpr std::size_t kFewPoints = 3;
constexpr double kShortRun = 1;
constexpr double kRecentWeight = 0.05;  // of one point in the recent time per point
constexpr double kSettleSeconds = 5;    // in which the shown time comes near a new estimate
constexpr double kLargestStep = 1.8;    // below two: the text is rounded

}  // namespace

RunEstimate::RunEstimate(std::vector<PlannedPoints> planned, double now)
    : planned_(std::move(planned)), begin_(now), last_point_(now) {}

void RunEstimate::start(std::size_t experiment) {
  current_ = experiment;
  const PlannedPoints known = experiment < planned_.size() ? planned_[experiment] : PlannedPoints{};
  open_ = known.points;
  open_s_ = known.seconds;
  first_plan_ += open_;
  whole_plan_ += open_;
  is_planned_ = false;
}

void RunEstimate::plan(PlannedPoints plan) {
  const std::size_t known = std::exchange(is_planned_, true) ? 0 : open_;
  whole_plan_ += plan.points - std::min(plan.points, known);
  open_ = plan.points;
  open_s_ = plan.seconds;
}

void RunEstimate::finish_point(double now, double planned_s) {
  const double seconds = std::max(now - last_point_ - planned_s, 0.0);
  recent_ = done_ == 0 ? seconds : recent_ + kRecentWeight * (seconds - recent_);
  last_point_ = now;
  ++done_;
  done_s_ += planned_s;
  open_s_ = std::max(open_s_ - planned_s, 0.0);
  open_ -= std::min<std::size_t>(open_, 1);
}

double RunEstimate::points_ahead() const {
  const double growth = first_plan_ == 0 ? 1 : static_cast<double>(whole_plan_) / static_cast<double>(first_plan_);
  const auto later = static_cast<std::ptrdiff_t>(std::min(current_ + 1, planned_.size()));
  const auto known = std::accumulate(planned_.begin() + later, planned_.end(), std::size_t{0},
                                     [](std::size_t sum, const PlannedPoints& plan) { return sum + plan.points; });
  return static_cast<double>(open_) + growth * static_cast<double>(known);
}

double RunEstimate::share() {
  const auto done = static_cast<double>(done_);
  const double all = done + points_ahead();
  shown_share_ = std::max(shown_share_, all > 0 ? done / all : 0);
  return shown_share_;
}

double RunEstimate::raw_remaining(double now) const {
  const double mean = std::max(last_point_ - begin_ - done_s_, 0.0) / static_cast<double>(done_);
  const double later = points_ahead() - static_cast<double>(open_);
  double ahead = recent_ * static_cast<double>(open_) + mean * later + open_s_;
  for (std::size_t i = current_ + 1; i < planned_.size(); ++i) ahead += planned_[i].seconds;
  return std::max(ahead - (now - last_point_), 0.0);
}

std::optional<double> RunEstimate::remaining(double now) {
  if (done_ < kFewPoints || now - begin_ < kShortRun) return std::nullopt;
  const double estimate = raw_remaining(now);
  if (!shown_) {
    shown_ = std::max(estimate, 1.0);
  } else {
    const double passed = now - shown_at_;
    const double expected = *shown_ - passed;
    const double next = expected + (1 - std::exp(-passed / kSettleSeconds)) * (estimate - expected);
    shown_ = std::max(std::clamp(next, *shown_ / kLargestStep, *shown_ * kLargestStep), 1.0);
  }
  shown_at_ = now;
  return shown_;
}

}  // namespace percycle
