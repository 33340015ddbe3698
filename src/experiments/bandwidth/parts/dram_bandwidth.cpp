#include "experiments/bandwidth/parts/dram_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/bandwidth/parts/chunk_sums.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/offsets.hpp"

namespace percycle {
namespace {

// Parameters of kernel pair `dram_bandwidth`; with STAMPS also kStamped.
const std::vector<KernelParameter> kMemoryPassesParameters{
    {"passes", "0: no work"}, {"chunks", "chunks per pass"}, {"factor", "for OP_SCALE and OP_TRIAD"}, {"salt", "for OP_WRITE"}};
const KernelParameter kStamped{"stamped", "groups at each end of the dispatch that record their clocks"};
constexpr std::size_t kSums = 3;
constexpr std::size_t kStamps = 4;

constexpr const char* kCheck = "check";  // reads back what another operation wrote

constexpr std::uint32_t kFactor = 0x9e3779b1;  // odd, so that scaling loses nothing
// Most passes of one dispatch. A group finds its chunk by subtracting one pass after another.
constexpr std::uint64_t kMostMemoryPasses = 16;

// At each end of a dispatch: twice as many as a unit of any GPU holds, so that each unit's first
// and last group are among them. Stamps of all groups would be 1 % of the traffic.
constexpr std::uint32_t kStampedPerUnit = 64;

std::uint32_t chunks_of(const MemoryPasses& config) {
  return static_cast<std::uint32_t>(config.array_bytes / config.chunk_bytes());
}

bool reads_a(const std::string& op) { return op != "write"; }
bool reads_b(const std::string& op) { return op == "triad"; }
bool writes(const std::string& op) { return op != "read"; }

/// The accesses of one invocation.
std::vector<TurnAccess> accesses_of(const MemoryPasses& config) {
  std::vector<TurnAccess> all;
  const auto add = [&](AccessKind kind, std::uint64_t arrays) {
    all.push_back({.path = MemoryPath::global, .kind = kind, .width = config.width, .count = arrays * config.unroll});
  };
  if (reads_a(config.op)) add(AccessKind::read, reads_b(config.op) ? 2 : 1);
  if (writes(config.op)) add(AccessKind::write, 1);
  return all;
}

const char* definition(const std::string& op) {
  return op == "read"    ? "OP_READ"
         : op == "write" ? "OP_WRITE"
         : op == "copy"  ? "OP_COPY"
         : op == "scale" ? "OP_SCALE"
         : op == "triad" ? "OP_TRIAD"
                         : "OP_CHECK";
}

/// Why no group notes its clocks; empty if some do. Another clock then gives the cycles.
std::optional<std::string> no_stamps(const DeviceInfo& device, const MemoryPasses& config) {
  if (!device.unit_clock) return "a kernel cannot read its unit's clock";
  if (!device.unit_id) return "a kernel cannot read which unit runs it";
  if (chunks_of(config) < 2) return "a dispatch of one work-group has one end only";
  return std::nullopt;
}

/// Groups at each end of the dispatch that note their clocks.
std::uint32_t stamped_groups(const DeviceInfo& device, const MemoryPasses& config) {
  return no_stamps(device, config) ? 0 : std::min(chunks_of(config) / 2, all_units(device) * kStampedPerUnit);
}

std::shared_ptr<Kernel> kernel_of(Device& device, const MemoryPasses& config) {
  KernelDesc desc{.name = "dram_bandwidth",
                  .definitions = {{"OP", definition(config.op)},
                                  {"WIDTH", std::to_string(config.width)},
                                  {"UNROLL", std::to_string(config.unroll)}},
                  .local_size = config.group_size,
                  .bindings = {{"a", BindingKind::address}, {"b", BindingKind::address}, {"c", BindingKind::address}, {"sums"}},
                  .parameters = kMemoryPassesParameters,
                  .subgroup_size = config.subgroup_size};
  if (config.op != kCheck && !no_stamps(device.info(), config)) {
    desc.definitions["STAMPS"] = "1";
    desc.bindings.push_back({"stamps"});
    desc.parameters.push_back(kStamped);
  }
  return device.create(desc);
}

/// Reads the sums of all chunks after each run and returns their change since the previous run.
struct SumsRead {
  std::shared_ptr<Buffer> buffer;
  std::vector<std::uint32_t> before;

  std::vector<std::uint32_t> added(Device& device) {
    auto now = read_values<std::uint32_t>(device, *buffer, before.size());
    std::vector<std::uint32_t> difference(now.size());
    std::transform(now.begin(), now.end(), before.begin(), difference.begin(), std::minus<>());
    before = std::move(now);
    return difference;
  }
};

/// Checks the effect of each run on every chunk.
class Check {
 public:
  Check(Device& device, const MemoryPasses& config, const Dispatch& timed, const DataWords& a, const DataWords& b,
        const DataWords& c)
      : op_(config.op), chunks_(chunks_of(config)) {
    const auto words = static_cast<std::uint32_t>(config.chunk_bytes() / sizeof(std::uint32_t));
    const std::uint32_t channels = config.width / 4;
    if (op_ == "write") {
      // The words of a vector are 1, 3, 5 and 7 times one hash, and the sum weights them by the
      // same: 1 + 9 + 25 + 49 = 84.
      terms_.push_back({ChunkSums(device, c, chunks_, words / channels, 1), channels == 1 ? 1u : channels == 2 ? 10u : 84u});
    } else {
      terms_.push_back({ChunkSums(device, a, chunks_, words, channels), op_ == "scale" ? kFactor : 1u});
      if (reads_b(op_)) terms_.push_back({ChunkSums(device, b, chunks_, words, channels), kFactor});
    }
    sums_ = {timed.bindings[kSums].buffer, std::vector<std::uint32_t>(chunks_)};
    write_values(device, *sums_.buffer, sums_.before);
    if (!writes(op_)) return;
    MemoryPasses check = config;
    check.op = kCheck;
    reading_back_ = timed;
    reading_back_->kernel = kernel_of(device, check);
    reading_back_->bindings.resize(kStamps);
    reading_back_->parameters.erase(kStamped.name);
    reading_back_->parameters.at("passes") = 1;
    reading_back_->groups = chunks_;
  }

  void add_setup(std::vector<Dispatch>& setup) const {
    for (const auto& term : terms_) setup.push_back(term.sums.setup());
  }

  Outcome operator()(Device& device, std::uint64_t passes) {
    if (expected_.empty()) expected_ = reckon(device);
    if (expected_.empty()) return {Status::invalid, "device and host compute different sums of the hash"};
    if (reading_back_) {
      if (passes == 0) return {};
      device.run(*reading_back_);
    }
    const auto times = static_cast<std::uint32_t>(reading_back_ ? 1 : passes);
    const auto found = sums_.added(device);
    for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) {
      if (const std::uint32_t right = times * expected_[chunk]; found[chunk] != right) {
        return {Status::invalid, fmt::format("chunk {} of {} adds up to {:#x} instead of {:#x} after {} passes", chunk, chunks_,
                                             found[chunk], right, passes)};
      }
    }
    return {};
  }

 private:
  struct Term {
    ChunkSums sums;
    std::uint32_t times;
  };

  std::vector<std::uint32_t> reckon(Device& device) const {
    std::vector<std::uint32_t> all(chunks_);
    for (const auto& term : terms_) {
      const auto some = term.sums.values(device);
      if (some.empty()) return {};
      for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) all[chunk] += term.times * some[chunk];
    }
    return all;
  }

  std::string op_;
  std::uint32_t chunks_;
  std::vector<Term> terms_;  ///< the terms of a correct sum
  SumsRead sums_;
  std::optional<Dispatch> reading_back_;
  std::vector<std::uint32_t> expected_;  ///< by chunk, for one pass; computed at first use
};

}  // namespace

std::uint32_t array_count(const std::string& op) { return op == "triad" ? 3 : op == "copy" || op == "scale" ? 2 : 1; }

std::optional<std::string> memory_passes_unsupported(const DeviceInfo& device, const MemoryPasses& config) {
  if (!device.buffer_addresses) return "the device has no buffer addresses";
  if (auto reason = offsets_unsupported(device, config.array_bytes)) return reason;
  if (auto reason = group_unsupported(device, config.group_size, config.subgroup_size)) return reason;
  if (const std::uint64_t most = chase_capacity(device, "global"); config.array_bytes > most)
    return fmt::format("a buffer holds at most {}", format_bytes(most));
  if (config.array_bytes / config.chunk_bytes() > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (config.array_bytes == 0 || config.array_bytes % config.chunk_bytes() != 0)
    return fmt::format("{} is not a whole number of chunks of {}", format_bytes(config.array_bytes),
                       format_bytes(config.chunk_bytes()));
  return std::nullopt;
}

Trial memory_passes_trial(Device& device, const MemoryPasses& config, std::uint64_t seed) {
  const DataWords words_a(seed);
  const DataWords words_b(seed + 1);
  const DataWords words_c(seed + 2);
  const auto array = [&] { return device.create(BufferDesc{config.array_bytes, config.in_host_memory}); };
  const std::uint32_t stamped = stamped_groups(device.info(), config);
  const auto sums = device.create(BufferDesc{chunks_of(config) * sizeof(std::uint32_t)});
  const auto a = reads_a(config.op) ? array() : nullptr;
  const auto b = reads_b(config.op) ? array() : nullptr;
  const auto c = writes(config.op) ? array() : nullptr;
  const auto any = a ? a : c;  // unused bindings need a buffer too

  Trial trial;
  Dispatch& timed = trial.timed.dispatch;
  timed = {kernel_of(device, config),
           {{any, nullptr}, {b ? b : any, nullptr}, {c ? c : any, nullptr}, {sums, nullptr}},
           {{"passes", 0}, {"chunks", chunks_of(config)}, {"factor", kFactor}, {"salt", words_c.salt()}},
           chunks_of(config)};
  if (stamped > 0) {
    const auto stamps = device.create(BufferDesc{sizeof(GroupStamp) * 2 * stamped});
    timed.bindings.push_back({stamps, nullptr});
    timed.parameters.emplace(kStamped.name, stamped);
    trial.group_stamps = GroupStamps{.buffer = stamps, .groups = 2 * stamped, .ends_only = true};
  }
  trial.timed.groups_per_loop = chunks_of(config);
  trial.timed.loops_parameter = "passes";
  trial.timed.turn = accesses_of(config);
  trial.timed.max_loops = std::clamp<std::uint64_t>(device.info().max_groups / chunks_of(config), 1, kMostMemoryPasses);
  const auto check = std::make_shared<Check>(device, config, trial.timed.dispatch, words_a, words_b, words_c);
  trial.repeatable = config.op != "read";
  trial.accumulates = config.op == "read";
  trial.timed.verify = [check](Device& on, std::uint64_t passes) { return (*check)(on, passes); };

  const auto add = [&](const std::shared_ptr<Buffer>& buffer, const DataWords& words) {
    const auto pieces = fill(device, buffer, words);
    trial.setup.insert(trial.setup.end(), pieces.begin(), pieces.end());
  };
  if (a) add(a, words_a);
  if (b) add(b, words_b);
  if (c) add(c, DataWords(seed + 3));  // differs from every correct result
  check->add_setup(trial.setup);
  if (const auto reason = no_stamps(device.info(), config)) trial.observed["unit_ticks"] = "none: " + *reason;
  trial.work = Work{.bytes_per_op = array_count(config.op) * config.array_bytes,
                    .group_bytes_per_op = array_count(config.op) * config.chunk_bytes()};
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
