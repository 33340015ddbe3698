#pragma once

#include <filesystem>
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
#include "session/known_code.hpp"

namespace percycle {

/// A request to read the code of timed kernels, also with external programs.
struct CodeWish {
  std::optional<std::string> capability;  ///< card's, see kernel_code()
  /// Folder for readings that later runs find; empty: none.
  std::filesystem::path kept{};
};

/// Describes the code of timed kernels and warns if it differs from the source. Reads each kernel
/// once. Do not use it during samples: tools keep all cores busy for tenths of a second.
class CodeReader {
 public:
  /// Without a wish it uses only the driver's numbers. `device` must outlive this object; simulated
  /// devices have no code.
  CodeReader(const Device& device, std::optional<CodeWish> wish)
      : device_(device), wish_(std::move(wish)), kept_(wish_ ? wish_->kept : std::filesystem::path()) {}

  /// Gets the code of these kernels from the device and lets tools read it on all cores in the
  /// background. Waits for the kernels of the previous call. Never throws for a failure of a device
  /// or a tool.
  void read(std::span<const TimedKernel> kernels);

  /// Waits for the tools, so that none runs during later samples.
  void finish();

  /// Never throws for a failure of a device or a tool.
  KernelCodegen codegen(const TimedKernel& timed);

  /// Seconds spent in codegen() since the last call.
  double take_seconds() { return std::exchange(seconds_, 0); }

  /// A driver's description of one kernel, and the result of reading it.
  struct Shown {
    const Kernel* kernel = nullptr;
    CodeQuestion question;
    KernelCodegen found;
  };

 private:
  struct ReadKernel {
    std::shared_ptr<Kernel> kernel;  ///< kept, so that no other kernel gets its address
    KernelCodegen code;
  };

  const Device& device_;
  std::optional<CodeWish> wish_;
  KnownCode kept_;
  Disassembler disassembler_;
  std::map<const Kernel*, ReadKernel> known_;
  std::future<std::vector<Shown>> pending_;  ///< ends before the members it uses
  double seconds_ = 0;
};

}  // namespace percycle
