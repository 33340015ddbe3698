#include "session/code_reader.hpp"

#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "device/error.hpp"

namespace percycle {

CodeReader::Known CodeReader::read(const TimedKernel& timed) {
  Known known{timed.kernel, {}, {}};
  try {
    const TimedCode code{"", timed.turn, timed.has_loop};
    KernelCode forms;
    if (wish_) forms = kernel_code(device_, *timed.kernel, wish_->capability, disassembler_);
    known.codegen = summarize(forms, device_.code(*timed.kernel), code);
    known.warnings = codegen_warnings(known.codegen, code);
  } catch (const DeviceError&) {  // then nothing is known of it
  }
  return known;
}

void CodeReader::add_to(Measured& measured) {
  if (device_.info().api == Api::sim || !measured.timed || !measured.result.measurement) return;
  const Kernel* const kernel = measured.timed->kernel.get();
  auto found = known_.find(kernel);
  if (found == known_.end()) found = known_.emplace(kernel, read(*measured.timed)).first;
  Measurement& measurement = *measured.result.measurement;
  if (found->second.codegen != Codegen{}) measurement.codegen = found->second.codegen;
  measurement.warnings.insert(measurement.warnings.end(), found->second.warnings.begin(), found->second.warnings.end());
}

}  // namespace percycle
