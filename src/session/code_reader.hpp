#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "codegen/binaries/disassembler.hpp"
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

  /// Reads all of these kernels, tools on all cores, so that codegen() need not. Never throws for what a device or a tool does.
  void read(std::span<const TimedKernel> kernels);

  /// Never throws for what a device or a tool does.
  KernelCodegen codegen(const TimedKernel& timed);

  /// Seconds that codegen() took since this was asked last.
  double take_seconds() { return std::exchange(seconds_, 0); }

 private:
  struct Known {
    std::shared_ptr<Kernel> kernel;  ///< kept, so that no other gets its address
    KernelCodegen code;
  };

  const Device& device_;
  std::optional<CodeWish> wish_;
  Disassembler disassembler_;
  std::map<const Kernel*, Known> known_;
  double seconds_ = 0;
};

}  // namespace percycle
