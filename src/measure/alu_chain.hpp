#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "device/device.hpp"

namespace percycle {

/// Kernel pair `alu_chain` with so many pairs of operations to a loop turn.
KernelDesc alu_chain_kernel(std::uint32_t lanes, std::uint64_t pairs);

/// Kernel pair `alu_chain` on one device: arithmetic operations of one subgroup, each of which waits for the one before it. How long they take
/// tells the core clock where it is known how many cycles one takes.
class AluChain {
 public:
  /// Compiles and calibrates: some milliseconds. Throws DeviceError.
  explicit AluChain(Device& device);

  /// What a dispatch of a millisecond or two takes longer than one of the same loop turns with half of the operations, which runs before
  /// and after it: launch and loop cancel out, and so does a clock that drifts. Empty when an end value is wrong or no time went by.
  /// Throws DeviceError.
  std::optional<AluChainRun> run();

 private:
  struct Form {
    std::shared_ptr<Kernel> kernel;
    std::uint64_t pairs = 0;  ///< to a loop turn
  };
  Form form(std::uint64_t pairs);
  /// How long it took; empty when a lane ended elsewhere.
  std::optional<Timing> timed(const Form& form, std::uint64_t loops);

  Device& device_;
  std::uint32_t lanes_;
  std::shared_ptr<Buffer> ends_;
  Form long_;
  Form short_;
  std::uint64_t loops_ = 1;
};

/// The dependent-ALU chain of a device whose points it is to tell the clock of: compiled when it is first needed, given up when it fails.
class ChainClock {
 public:
  /// `cycles_per_op`: latency of one operation of the chain; without it the chain never runs.
  ChainClock(Device& device, std::optional<double> cycles_per_op) : device_(device), cycles_per_op_(cycles_per_op) {}

  /// Whether the chain can still run.
  bool available() const { return cycles_per_op_.has_value(); }

  /// Adds one run to `runs`. When the chain fails it empties `runs`, adds a warning and never runs again. Throws DeviceError only when the device
  /// is lost.
  void run(std::optional<AluChainRuns>& runs, std::vector<std::string>& warnings);

 private:
  Device& device_;
  std::optional<double> cycles_per_op_;
  std::optional<AluChain> chain_;
};

}  // namespace percycle
