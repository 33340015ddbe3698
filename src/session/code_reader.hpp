#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/binaries/disassembler.hpp"
#include "codegen/binaries/machine_code.hpp"
#include "core/codegen.hpp"
#include "device/device.hpp"
#include "measure/timed_kernel.hpp"

namespace percycle {

/// That the code of timed kernels is to be read, with external programs too.
struct CodeWish {
  std::optional<std::string> capability;  ///< of the card, see kernel_code()
};

/// Tells what became of timed kernels, and warns where that is not what the source says. Each kernel is read once. Not to be asked while a sample is
/// taken: tools take tenths of a second, of all cores.
class CodeReader {
 public:
  /// Without a wish only the driver's numbers are taken. The device must outlive this; simulated ones have no code.
  CodeReader(const Device& device, std::optional<CodeWish> wish) : device_(device), wish_(std::move(wish)) {}

  /// Asks the device for the code of these kernels and has tools read it, on all cores, beside what the caller does next. Waits for the kernels of the call
  /// before. Never throws for what a device or a tool does.
  void read(std::span<const TimedKernel> kernels);

  /// Waits for the tools: nothing runs beside the samples that follow.
  void finish();

  /// Never throws for what a device or a tool does.
  KernelCodegen codegen(const TimedKernel& timed);

  /// Seconds that codegen() took since this was asked last.
  double take_seconds() { return std::exchange(seconds_, 0); }

  /// What a driver says of one kernel, and what was read in it.
  struct Shown {
    TimedKernel timed;
    std::optional<CodeInfo> info;
    std::optional<DriverCode> code;  ///< where the code is to be read
    KernelCodegen found;
  };

 private:
  struct Known {
    std::shared_ptr<Kernel> kernel;  ///< kept, so that no other gets its address
    KernelCodegen code;
  };

  const Device& device_;
  std::optional<CodeWish> wish_;
  Disassembler disassembler_;
  std::map<const Kernel*, Known> known_;
  std::future<std::vector<Shown>> pending_;  ///< ends before what it uses
  double seconds_ = 0;
};

}  // namespace percycle
