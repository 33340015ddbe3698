#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"
#include "platform/child.hpp"
#include "session/code_reader.hpp"
#include "session/device_checks.hpp"

namespace percycle {

/// The parent's end of a measuring worker: one device in a separate process, started when needed
/// and again after it died.
class WorkerClient {
 public:
  /// The outcome of a point sent to the worker.
  struct Answer {
    enum class Ending {
      result,       ///< see `result`
      interrupted,  ///< the user stopped it: the point is not measured
      lost,         ///< `result` is failed, and the device is gone: open it again
      ended,        ///< the worker crashed or was killed past its deadline: `result` is failed
      refused,      ///< the device could not be opened: `text` has the reason
    };
    Ending kind = Ending::result;
    PointResult result;
    std::string text;
    /// Part of the time spent reading machine code, see session/code_reader.hpp.
    double code_seconds = 0;
  };

  /// With `code` the worker reads the machine code of timed kernels, see session/code_reader.hpp.
  WorkerClient(const DeviceInfo& device, std::chrono::milliseconds deadline, std::optional<CodeWish> code = std::nullopt)
      : device_(device), deadline_(deadline), code_(std::move(code)) {}

  /// Opens the device and checks it; not if it cannot be opened, which measure() then reports.
  /// `tries_memory`: see OpenRequest. To be called before anything else.
  void check(bool tries_memory = false);

  const std::optional<CodeWish>& code() const { return code_; }

  /// Why check() could not open the device, until measure() reports it; empty if it could.
  const std::string& refusal() const { return refusal_; }

  /// Results of check().
  const DeviceChecks& checked() const { return checked_; }

  /// For a worker that only compiles. To be called before anything else.
  void leave_out_telemetry();

  /// Lets the worker close the device, which may complete the driver's cache, and ends it. A driver
  /// that hangs then is killed after two seconds.
  void finish();

  /// Ends the worker; the next point starts it again. A device that is open beside another takes
  /// part of its memory, and counts as another program on its card.
  void close() { child_.reset(); }

  /// Measures one point. If `stop` becomes true meanwhile, the worker ends after its current
  /// dispatch.
  Answer measure(const Point& point, const std::string& preset, std::uint64_t seed, const std::atomic<bool>& stop);

  /// Lets the worker compile the kernels of these points and read their machine code. If the worker
  /// crashes or hangs, or cannot open the device, returns false and later calls do nothing: the
  /// points themselves then show the fault.
  bool read_ahead(const std::vector<Point>& points, std::uint64_t seed, const std::atomic<bool>& stop);

 private:
  /// Starts the worker and opens the device, if necessary with its driver alone or without implicit
  /// layers. Returns the reason if that fails.
  std::string open();
  /// The same without implicit layers.
  bool opens_without_layers();
  /// The same with the drivers that device_ names; `ended` is set if the worker crashed or hung.
  std::string open_once(bool& ended);
  void take_checks(const nlohmann::json& checked);
  /// The worker's next event before the deadline. If `stop` becomes true meanwhile, the worker is
  /// asked to stop.
  Child::Event next_event(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>& stop);
  /// Measures the point in the open worker.
  Answer ask(const Point& point, const std::string& preset, std::uint64_t seed, const std::atomic<bool>& stop);
  Answer failed(Answer::Ending kind, const Point& point, std::string reason);

  DeviceInfo device_;
  Environment no_layers_;  ///< changes that the worker needs
  std::chrono::milliseconds deadline_;
  std::optional<CodeWish> code_;
  std::unique_ptr<Child> child_;
  bool asked_to_stop_ = false;
  bool fails_ahead_ = false;
  bool has_telemetry_ = false;  ///< of the open worker
  std::string no_telemetry_;    ///< see OpenRequest
  bool checks_ = false;         ///< see OpenRequest
  bool tries_memory_ = false;
  bool checks_timed_out_ = false;  ///< `doctor` ends there: it has one deadline for the device
  DeviceChecks checked_;
  /// Why check() or read_ahead() could not open the device; measure() still has to report it.
  std::string refusal_;
};

}  // namespace percycle
