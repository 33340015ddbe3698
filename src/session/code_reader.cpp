#include "session/code_reader.hpp"

#include <chrono>

#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "device/error.hpp"

namespace percycle {

KernelCodegen CodeReader::read(const TimedKernel& timed) {
  KernelCodegen found;
  try {
    const TimedCode code{"", timed.turn, timed.has_loop};
    KernelCode forms;
    if (wish_) forms = kernel_code(device_, *timed.kernel, wish_->capability, disassembler_);
    found.codegen = summarize(forms, device_.code(*timed.kernel), code);
    found.warnings = codegen_warnings(found.codegen, code);
  } catch (const DeviceError&) {  // then nothing is known of it
  }
  return found;
}

KernelCodegen CodeReader::codegen(const TimedKernel& timed) {
  if (device_.info().api == Api::sim) return {};
  const auto known = known_.find(timed.kernel.get());
  if (known != known_.end()) return known->second.code;
  const auto begin = std::chrono::steady_clock::now();
  KernelCodegen code = read(timed);
  known_.emplace(timed.kernel.get(), Known{timed.kernel, code});
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return code;
}

}  // namespace percycle
