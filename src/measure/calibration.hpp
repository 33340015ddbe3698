#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/api.hpp"
#include "core/sample.hpp"

namespace percycle {

/// Finds the smallest loop count whose dispatch lasts at least `target_ns`, from tiny dispatches on, up and down, never predicting one
/// longer than `ceiling_ns`. Fed plain numbers, so it is tested with hand-made series:
///
///     while (!calibration.done()) calibration.feed(run(calibration.loops()), host_ns);
class Calibration {
 public:
  struct Limits {
    double target_ns = 2e6;     ///< the shortest acceptable duration
    double ceiling_ns = 400e6;  ///< the longest: drivers' watchdogs (design: no dispatch above 500 ms)
    double idle_ns = 0;         ///< what a dispatch of 0 loops takes
    std::uint64_t max_loops = 1;
  };

  explicit Calibration(const Limits& limits);

  /// The loop count to run next; when done, the one to sample with.
  std::uint64_t loops() const { return loops_; }
  bool done() const { return done_; }

  /// Whether the device timer denied several long dispatches: it stands still, and no loop count can be found by it.
  bool denied() const { return denials_ >= kMostDenials; }

  /// The time of the dispatch of loops() loops, and the same as the host saw it.
  void feed(double ns, double host_ns);

 private:
  static constexpr unsigned kMostDenials = 3;  // one may be a cold dispatch, whose compilation only the host sees

  Limits limits_;
  std::uint64_t loops_ = 1;
  unsigned rounds_ = 0;
  unsigned denials_ = 0;
  double known_per_loop_ = 0;  ///< ns, by the round before; 0: none yet
  bool done_ = false;
};

/// The loop count that a Calibration finds by running `run`, which takes the loop count; empty where `run` returned nothing. Ends after
/// some 30 dispatches. Throws DeviceError where the device timer tells next to nothing of dispatches that take the host seconds.
std::optional<std::uint64_t> calibrated_loops(const Calibration::Limits& limits, Api api,
                                              const std::function<std::optional<Timing>(std::uint64_t loops)>& run);

}  // namespace percycle
