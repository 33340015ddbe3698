#pragma once

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
  /// Compiles and calibrates, which takes some milliseconds. Throws DeviceError.
  explicit AluChain(Device& device);

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
  std::uint32_t lanes_;
  std::shared_ptr<Buffer> ends_;
  Form long_;
  Form short_;
  std::uint64_t loops_ = 1;
};

/// The dependent-ALU chain as a clock for a device's points: compiled at first use, given up if it
/// fails.
class ChainClock {
 public:
  /// `cycles_per_op`: latency of one operation of the chain; if it is unknown, the chain never
  /// runs.
  ChainClock(Device& device, std::optional<double> cycles_per_op) : device_(device), cycles_per_op_(cycles_per_op) {}

  /// Whether the chain can still run.
  bool available() const { return cycles_per_op_.has_value(); }

  /// Adds one run to `runs`. If the chain fails, empties `runs`, adds a warning and never runs
  /// again. Throws DeviceError only if the device is lost.
  void run(std::optional<AluChainRuns>& runs, std::vector<std::string>& warnings);

 private:
  Device& device_;
  std::optional<double> cycles_per_op_;
  std::optional<AluChain> chain_;
};

}  // namespace percycle
