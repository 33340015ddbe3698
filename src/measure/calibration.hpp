#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/api.hpp"
#include "core/sample.hpp"

namespace percycle {

/// Finds the smallest loop count whose dispatch lasts at least `target_ns`, starting from tiny
/// dispatches and never predicting one above `ceiling_ns`. Fed plain numbers, so that tests use
/// series: while (!calibration.done()) calibration.feed(run(calibration.loops()), host_ns);
class Calibration {
 public:
  struct Limits {
    double target_ns = 2e6;  ///< the shortest acceptable duration
    /// The longest: drivers' watchdogs limit dispatches, and none may exceed 500 ms.
    double ceiling_ns = 400e6;
    double idle_ns = 0;  ///< duration of a dispatch with 0 loops
    std::uint64_t max_loops = 1;
  };

  explicit Calibration(const Limits& limits);

  /// The loop count to run next; once done, the one for the samples.
  std::uint64_t loops() const { return loops_; }
  bool done() const { return done_; }

  /// Whether the device timer showed no time for several long dispatches: it stands still and
  /// cannot calibrate.
  bool denied() const { return denials_ >= kMostDenials; }

  /// Takes the time of the dispatch of loops() loops, by the timer and as the host saw it.
  void feed(double ns, double host_ns);

 private:
  // One may be a cold dispatch: only the host sees the time of its compilation.
  static constexpr unsigned kMostDenials = 3;

  Limits limits_;
  std::uint64_t loops_ = 1;
  unsigned rounds_ = 0;
  unsigned denials_ = 0;
  double known_per_loop_ = 0;  ///< ns, from the last round; 0: none yet
  bool done_ = false;
};

/// The loop count that a Calibration finds by calling `run` with loop counts; empty if `run`
/// returned nothing. Ends after some 30 dispatches. Throws DeviceError if the device timer shows
/// almost no time for dispatches that take the host seconds.
std::optional<std::uint64_t> calibrated_loops(const Calibration::Limits& limits, Api api,
                                              const std::function<std::optional<Timing>(std::uint64_t loops)>& run);

}  // namespace percycle
