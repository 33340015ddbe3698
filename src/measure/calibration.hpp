#pragma once

#include <cstdint>

namespace percycle {

/// Finds the smallest loop count whose dispatch lasts at least `target_ns`, from tiny dispatches on, up and down, never predicting one
/// longer than `ceiling_ns`. Fed plain numbers, so it is tested with hand-made series:
///
///     while (!calibration.done()) calibration.feed(run(calibration.loops()));
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

  /// What the dispatch of loops() loops took.
  void feed(double ns);

 private:
  Limits limits_;
  std::uint64_t loops_ = 1;
  unsigned rounds_ = 0;
  double known_per_loop_ = 0;  ///< ns, by the round before; 0: none yet
  bool done_ = false;
};

}  // namespace percycle
