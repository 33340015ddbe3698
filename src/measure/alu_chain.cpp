#include "measure/alu_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "device/values.hpp"
#include "expected/alu_chain.hpp"
#include "measure/calibration.hpp"
#include "measure/time_source.hpp"
#include "measure/trial_run.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kLongPairs = 256;
constexpr std::uint64_t kShortPairs = kLongPairs / 2;
constexpr std::uint64_t kOpsPerPair = 2;
constexpr std::uint32_t kStart = 0x12345679u;
// A whole warp or wave32. It is half of an RDNA wave64, which skips the other half, and of a GCN
// wave, which takes no longer.
constexpr std::uint32_t kLanes = 32;
constexpr double kTargetNs = 1e6;
constexpr double kChainCeilingNs = 5e6;

}  // namespace

KernelDesc alu_chain_kernel(std::uint32_t lanes, std::uint64_t pairs) {
  return {.name = "alu_chain",
          .definitions = {{"PAIRS", std::to_string(pairs)}},
          .local_size = lanes,
          .bindings = {{"ends"}},
          .parameters = {{"loops", ""}, {"start", ""}, {"add", ""}, {"mask", ""}}};
}

KernelDesc alu_chain_kernel(const DeviceInfo& device, std::uint32_t lanes, std::uint64_t pairs) {
  const auto& sizes = device.subgroup_sizes;
  KernelDesc desc = alu_chain_kernel(lanes, pairs);
  if (device.subgroup_size_control && std::find(sizes.begin(), sizes.end(), lanes) != sizes.end()) desc.subgroup_size = lanes;
  return desc;
}

std::uint32_t alu_chain_lanes(const DeviceInfo& device) { return std::min(kLanes, device.max_group_size); }

std::optional<Timing> run_alu_chain(Device& device, const std::shared_ptr<Kernel>& kernel, const std::shared_ptr<Buffer>& ends,
                                    std::uint64_t pairs, std::uint64_t loops, std::uint32_t groups) {
  const Timing timing = device.run(
      {kernel,
       {{ends, nullptr}},
       {{"loops", static_cast<std::uint32_t>(loops)}, {"start", kStart}, {"add", kAluChainAdd}, {"mask", kAluChainMask}},
       groups});
  const auto lanes = static_cast<std::uint32_t>(ends->bytes() / sizeof(std::uint32_t));
  const auto values = read_values<std::uint32_t>(device, *ends, lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (values[lane] != alu_chain_end(kStart + lane, loops * pairs)) return std::nullopt;
  }
  return timing;
}

AluChain::AluChain(Device& device, const std::atomic<bool>* stop)
    : device_(device),
      stop_(stop),
      lanes_(alu_chain_lanes(device.info())),
      ends_(device.create(BufferDesc{std::uint64_t{lanes_} * sizeof(std::uint32_t)})),
      long_(form(kLongPairs)),
      short_(form(kShortPairs)) {
  const auto found =
      calibrated_loops({.target_ns = kTargetNs,
                        .ceiling_ns = kChainCeilingNs,
                        .idle_ns = 0,
                        .max_loops = std::min<std::uint64_t>(device.info().max_loop_iterations.value_or(UINT32_MAX), UINT32_MAX)},
                       device.info().api, [this](std::uint64_t loops) { return timed(long_, loops); });
  loops_ = found.value_or(1);  // 1 if the chain ends in a wrong value, which run() finds, too
}

AluChain::Form AluChain::form(std::uint64_t pairs) {
  return {device_.create(alu_chain_kernel(device_.info(), lanes_, pairs)), pairs};
}

std::optional<AluChainRun> AluChain::run() {
  const auto before = timed(short_, loops_);
  const auto whole = timed(long_, loops_);
  const auto after = timed(short_, loops_);
  if (!before || !whole || !after) return std::nullopt;
  const double ns = trusted_ns(*whole) - (trusted_ns(*before) + trusted_ns(*after)) / 2;
  if (ns <= 0) return std::nullopt;
  return AluChainRun{.ops = loops_ * (kLongPairs - kShortPairs) * kOpsPerPair, .ns = ns};
}

std::optional<Timing> AluChain::timed(const Form& form, std::uint64_t loops) {
  if (stop_ != nullptr && *stop_) throw Interruption{};
  return run_alu_chain(device_, form.kernel, ends_, form.pairs, loops);
}

std::optional<AluChainRun> ChainClock::run_once() {
  if (!failure_.empty()) return std::nullopt;
  try {
    if (!chain_) chain_.emplace(device_, &stop_);
    const auto run = chain_->run();
    if (!run) failure_ = "the dependent-ALU chain gave a wrong value or took no time, so it gives no clock";
    return run;
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
    failure_ = fmt::format("the dependent-ALU chain did not run: {}", error.what());
    return std::nullopt;
  }
}

std::optional<bool> ChainClock::runs_at_full_speed() {
  const auto speed_of_run = [&]() -> std::optional<double> {
    const auto run = run_once();
    return run ? std::optional(static_cast<double>(run->ops) / run->ns) : std::nullopt;
  };
  const auto first = speed_of_run();
  if (!first) return std::nullopt;
  const bool is_first = fastest_ == 0;
  double speed = *first;
  if (!is_first && speed > fastest_) speed = std::min(speed, std::max(fastest_, speed_of_run().value_or(0)));
  fastest_ = std::max(fastest_, speed);
  return is_first ? std::nullopt : std::optional(speed >= kFullSpeed * fastest_);
}

void ChainClock::run(std::optional<AluChainRuns>& runs, std::vector<std::string>& warnings) {
  if (const auto run = run_once()) {
    if (!runs) runs = AluChainRuns{.cycles_per_op = cycles_per_op_.value(), .runs = {}};
    runs->runs.push_back(*run);
    return;
  }
  warnings.push_back(failure_);
  runs.reset();
  cycles_per_op_.reset();
}

}  // namespace percycle
