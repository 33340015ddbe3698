#include "session/code_reader.hpp"

#include <chrono>
#include <vector>

#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/summary.hpp"
#include "device/error.hpp"
#include "platform/all_cores.hpp"

namespace percycle {
namespace {

void read_shown(CodeReader::Shown& shown, const KnownCode& known, Disassembler& disassembler) {
  CodeQuestion& question = shown.question;
  const auto key = question.code ? std::optional(known.key(question)) : std::nullopt;
  if (auto found = key ? known.find(*key) : std::nullopt) {
    shown.found = std::move(*found);
    return;
  }
  KernelCode forms;
  if (question.code) forms = read_code(std::move(*question.code), question.capability, disassembler);
  shown.found.codegen = summarize(forms, question.info, question.timed);
  if (question.optimized) {
    const KernelCode usual = read_code(std::move(*question.optimized), question.capability, disassembler);
    shown.found.codegen.same_as_optimized = same_code(forms, usual);
  }
  shown.found.warnings = codegen_warnings(shown.found.codegen, question.timed);
  if (key) known.keep(*key, shown.found);
}

}  // namespace

void CodeReader::read(std::span<const TimedKernel> kernels) {
  if (device_.info().api == Api::sim) return;
  std::vector<Shown> all;
  for (const TimedKernel& timed : kernels) {  // only one thread may use a device
    if (!known_.try_emplace(timed.kernel.get(), ReadKernel{timed.kernel, {}}).second) continue;
    try {
      Shown shown{.kernel = timed.kernel.get(),
                  .question = {.timed = {"", timed.turn, timed.has_loop, timed.arithmetic},
                               .info = device_.code(*timed.kernel),
                               .code = {},
                               .optimized = {},
                               .capability = {}},
                  .found = {}};
      if (wish_) {
        shown.question.capability = wish_->capability;
        shown.question.code = driver_code(device_, *timed.kernel);
        if (timed.optimized) shown.question.optimized = driver_code(device_, *timed.optimized);
      }
      all.push_back(std::move(shown));
    } catch (const DeviceError&) {  // then no number is known
    }
  }
  finish();
  pending_ = std::async(std::launch::async, [this, shown = std::move(all)]() mutable {
    on_all_cores(shown.size(), [&](std::size_t i) { read_shown(shown[i], kept_, disassembler_); });
    return std::move(shown);
  });
}

void CodeReader::finish() {
  if (!pending_.valid()) return;
  for (Shown& shown : pending_.get()) known_.at(shown.kernel).code = std::move(shown.found);
}

KernelCodegen CodeReader::codegen(const TimedKernel& timed) {
  if (device_.info().api == Api::sim) return {};
  const auto begin = std::chrono::steady_clock::now();
  const bool known = known_.contains(timed.kernel.get());
  if (!known) read({&timed, 1});
  if (!known || pending_.valid()) {
    finish();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return known_.at(timed.kernel.get()).code;
}

}  // namespace percycle
