#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace percycle {

enum class ProgressStyle {
  none,   ///< --no-progress
  live,   ///< one line, rewritten: a terminal
  plain,  ///< now and then a line: a log
};

/// Tells on stderr how far a run is: device, experiment, point and an estimate of the time left.
class Progress {
 public:
  explicit Progress(ProgressStyle style) : style_(style) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A device's run begins; the estimate starts anew.
  void device(const std::string& name);
  /// Point number `done` of `planned` begins; `text` names it.
  void point(const std::string& text, std::size_t done, std::size_t planned);
  /// Something begins that is no point.
  void step(const std::string& text);
  /// Removes the live line, so that something else can be printed.
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
