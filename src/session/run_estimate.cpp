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

RunEstimate::RunEstimate(std::vector<std::size_t> planned, double now)
    : planned_(std::move(planned)), begin_(now), last_point_(now) {}

void RunEstimate::start(std::size_t experiment) {
  current_ = experiment;
  open_ = experiment < planned_.size() ? planned_[experiment] : 0;
  first_plan_ += open_;
  whole_plan_ += open_;
  is_planned_ = false;
}

void RunEstimate::plan(std::size_t points) {
  const std::size_t known = std::exchange(is_planned_, true) ? 0 : open_;
  whole_plan_ += points - std::min(points, known);
  open_ = points;
}

void RunEstimate::finish_point(double now) {
  const double seconds = now - last_point_;
  recent_ = done_ == 0 ? seconds : recent_ + kRecentWeight * (seconds - recent_);
  last_point_ = now;
  ++done_;
  open_ -= std::min<std::size_t>(open_, 1);
}

double RunEstimate::points_ahead() const {
  const double growth = first_plan_ == 0 ? 1 : static_cast<double>(whole_plan_) / static_cast<double>(first_plan_);
  const auto later = static_cast<std::ptrdiff_t>(std::min(current_ + 1, planned_.size()));
  const auto known = std::accumulate(planned_.begin() + later, planned_.end(), std::size_t{0});
  return static_cast<double>(open_) + growth * static_cast<double>(known);
}

double RunEstimate::share() {
  const auto done = static_cast<double>(done_);
  const double all = done + points_ahead();
  shown_share_ = std::max(shown_share_, all > 0 ? done / all : 0);
  return shown_share_;
}

double RunEstimate::raw_remaining(double now) const {
  const double mean = (last_point_ - begin_) / static_cast<double>(done_);
  const double later = points_ahead() - static_cast<double>(open_);
  const double ahead = recent_ * static_cast<double>(open_) + mean * later;
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
