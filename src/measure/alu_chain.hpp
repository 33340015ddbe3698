#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "device/device.hpp"

namespace percycle {

/// Kernel pair `alu_chain` with `pairs` pairs of operations per loop turn.
KernelDesc alu_chain_kernel(std::uint32_t lanes, std::uint64_t pairs);

/// The same, with subgroups of `lanes` if the device can be set to them.
KernelDesc alu_chain_kernel(const DeviceInfo& device, std::uint32_t lanes, std::uint64_t pairs);

/// Lanes of the chain: a whole warp or wave32, or the device's largest work-group.
std::uint32_t alu_chain_lanes(const DeviceInfo& device);

/// Runs `loops` turns of a kernel of `pairs` pairs per turn in so many work-groups, all with the
/// same values. Empty if a lane ended with another value than its operations give. `ends` has a
/// word for each lane of a work-group.
std::optional<Timing> run_alu_chain(Device& device, const std::shared_ptr<Kernel>& kernel, const std::shared_ptr<Buffer>& ends,
                                    std::uint64_t pairs, std::uint64_t loops, std::uint32_t groups = 1);

/// Kernel pair `alu_chain` on one device: dependent arithmetic operations of one subgroup. Their
/// duration gives the core clock if the cycles per operation are known.
class AluChain {
 public:
  /// Compiles and calibrates, which takes some milliseconds. Throws DeviceError. If the user sets
  /// `stop`, which may be null, this and run() throw Interruption before the next dispatch.
  explicit AluChain(Device& device, const std::atomic<bool>* stop = nullptr);

  /// The time of a dispatch of 1 to 2 ms, minus that of a dispatch with the same loop turns and
  /// half the operations, run before and after it: launch, loop and clock drift cancel out. Empty
  /// if an end value is wrong or no time passed. Throws DeviceError.
  std::optional<AluChainRun> run();

 private:
  struct Form {
    std::shared_ptr<Kernel> kernel;
    std::uint64_t pairs = 0;  ///< per loop turn
  };
  Form form(std::uint64_t pairs);
  /// The time it took; empty if a lane ended with another value.
  std::optional<Timing> timed(const Form& form, std::uint64_t loops);

  Device& device_;
  const std::atomic<bool>* stop_;
  std::uint32_t lanes_;
  std::shared_ptr<Buffer> ends_;
  Form long_;
  Form short_;
  std::uint64_t loops_ = 1;
};

/// Share of the fastest rate so far from which on a clock has settled.
inline constexpr double kFullSpeed = 0.99;

/// The dependent-ALU chain as a clock for a device's points: compiled at first use, given up if it
/// fails.
class ChainClock {
 public:
  /// `cycles_per_op`: latency of one operation of the chain; if it is unknown, the chain gives no
  /// clock. All functions throw Interruption once `stop` is set.
  ChainClock(Device& device, const std::atomic<bool>& stop, std::optional<double> cycles_per_op)
      : device_(device), stop_(stop), cycles_per_op_(cycles_per_op) {}

  /// Whether the chain can still give a clock.
  bool available() const { return cycles_per_op_.has_value(); }

  /// Runs the chain. Whether the device is at least kFullSpeed times as fast as in the fastest run
  /// so far; empty if this is the first run, or the chain failed. A faster run must be confirmed by
  /// a second one. Throws DeviceError only if the device is lost.
  std::optional<bool> runs_at_full_speed();

  /// Adds one run to `runs`. If the chain fails, empties `runs`, adds a warning and never runs
  /// again. Throws DeviceError only if the device is lost.
  void run(std::optional<AluChainRuns>& runs, std::vector<std::string>& warnings);

 private:
  /// One run; empty if the chain failed, now or before: see failure_. Throws DeviceError only if
  /// the device is lost.
  std::optional<AluChainRun> run_once();

  Device& device_;
  const std::atomic<bool>& stop_;
  std::optional<double> cycles_per_op_;
  std::optional<AluChain> chain_;
  std::string failure_;  ///< why it never runs again
  double fastest_ = 0;   ///< operations per nanosecond
};

}  // namespace percycle
