#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

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
  WorkerClient(const DeviceInfo& device, std::chrono::seconds deadline, std::optional<CodeWish> code = std::nullopt)
      : device_(device), deadline_(deadline), code_(std::move(code)) {}

  /// Measures one point. When `stop` becomes true meanwhile, the worker is asked to end after its dispatch.
  Answer measure(const Point& point, const std::string& preset, std::uint64_t seed, const std::atomic<bool>& stop);

 private:
  /// Starts the worker and opens the device. The reason when it cannot.
  std::string open();
  Answer failed(Answer::Kind kind, const Point& point, std::string reason);

  DeviceInfo device_;
  std::chrono::seconds deadline_;
  std::optional<CodeWish> code_;
  std::unique_ptr<Child> child_;
};

}  // namespace percycle
