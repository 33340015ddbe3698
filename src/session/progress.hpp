#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace percycle {

enum class ProgressStyle {
  none,   ///< --no-progress
  live,   ///< one line, rewritten: a terminal
  plain,  ///< a line from time to time: a log
};

/// Shows the progress of a run on stderr: device, experiment, point and estimated time left.
class Progress {
 public:
  explicit Progress(ProgressStyle style) : style_(style) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts a device's run and a new estimate.
  void device(const std::string& name);
  /// Starts point number `done` of `planned`; `text` names it.
  void point(const std::string& text, std::size_t done, std::size_t planned);
  /// Starts a step that is not a point.
  void step(const std::string& text);
  /// Removes the live line, so that other text can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void print(const std::string& line);

  ProgressStyle style_;
  std::string device_;
  Clock::time_point begin_;
  Clock::time_point last_line_;
  std::size_t first_done_ = 0;
  bool first_ = true;
  bool live_line_ = false;
};

}  // namespace percycle
