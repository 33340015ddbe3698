#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"
#include "platform/child.hpp"
#include "session/code_reader.hpp"

namespace percycle {

/// The parent's end of a measuring worker: one device, opened in a process of its own that is started when needed and again after it died.
class WorkerClient {
 public:
  /// How a point that was sent to the worker ended.
  struct Answer {
    enum class Kind {
      result,       ///< see `result`
      interrupted,  ///< the user stopped it: the point is not measured
      lost,         ///< `result` is failed, and the device is gone: open it again
      ended,        ///< the worker crashed or was killed past its deadline: `result` is failed
      refused,      ///< the device could not be opened: `text` says why
    };
    Kind kind = Kind::result;
    PointResult result;
    std::string text;
    double code_seconds = 0;  ///< of the time until the answer: reading the machine code, see session/code_reader.hpp
  };

  /// With `code` the worker reads the machine code of timed kernels, see session/code_reader.hpp.
  WorkerClient(const DeviceInfo& device, std::chrono::milliseconds deadline, std::optional<CodeWish> code = std::nullopt)
      : device_(device), deadline_(deadline), code_(std::move(code)) {}

  /// Measures one point. When `stop` becomes true meanwhile, the worker is asked to end after its dispatch.
  Answer measure(const Point& point, const std::string& preset, std::uint64_t seed, const std::atomic<bool>& stop);

  /// Has the worker compile what these points time and read its machine code. After a worker that crashes or hangs meanwhile it does nothing:
  /// the points themselves then show what is wrong.
  void read_ahead(const std::vector<Point>& points, std::uint64_t seed, const std::atomic<bool>& stop);

 private:
  /// Starts the worker and opens the device, by its driver alone if it has to. The reason when it cannot.
  std::string open();
  /// The same, by the drivers that device_ names; `ended` tells whether the worker crashed or hung.
  std::string open_once(bool& ended);
  /// The worker's next event, before the deadline. When `stop` becomes true meanwhile, the worker is asked to stop.
  Child::Event next_event(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>& stop);
  Answer failed(Answer::Kind kind, const Point& point, std::string reason);

  DeviceInfo device_;
  std::chrono::milliseconds deadline_;
  std::optional<CodeWish> code_;
  std::unique_ptr<Child> child_;
  bool asked_to_stop_ = false;
  bool fails_ahead_ = false;
  std::string refusal_;  ///< why read_ahead() could not open the device; measure() has yet to say so
};

}  // namespace percycle
