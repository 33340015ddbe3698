#include "sim/dispatch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "device/error.hpp"
#include "sim/atomic_costs.hpp"
#include "sim/chip_layout.hpp"
#include "sim/instructions.hpp"
#include "sim/operation_costs.hpp"
#include "sim/residency.hpp"
#include "sim/sim_memory.hpp"
#include "sim/stream_costs.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kMostKnownStreams = 64;

}  // namespace

CachesState& DeviceState::caches_beside(std::uint64_t local_bytes) {
  auto& state = caches[local_bytes];
  if (!state) state = std::make_unique<CachesState>(beside_local_memory(model, local_bytes));
  return *state;
}

DispatchRun::DispatchRun(DeviceState& device, const KernelDesc& kernel, std::span<const AddressRange> bindings,
                         const AddressRange& constants, std::uint64_t declared_local_bytes)
    : device_(device),
      memory_(device.caches_beside(declared_local_bytes)),
      kernel_(kernel),
      bindings_(bindings),
      constants_(constants),
      local_{0, device.model.local.bytes},
      noise_(device.model.noise, device.dispatches),
      factor_(noise_.factor()),
      actors_{ActorProgress{}} {}

void DispatchRun::access(const Actor& actor, MemoryPath path, std::uint32_t binding, std::uint64_t offset, std::uint32_t bytes,
                         AccessKind kind) {
  const AddressRange& where = range(path, binding);
  check(where, offset + bytes);
  const Model& model = device_.model;
  double cycles = model.cycles_per_operation;
  if (kind != AccessKind::write) {
    if (path == MemoryPath::local) {
      cycles = model.local.latency_cycles;
    } else {
      memory_.recent.catch_up(memory_.caches);
      const Path& taken = path_taken(model, path);
      cycles = kind == AccessKind::read ? memory_.caches.load(actor, taken, where.base + offset, bytes).cycles
                                        : memory_.caches.atomic(actor, taken, where.base + offset, bytes);
    }
  }
  progress(actor).cycles += cycles * noise_.factor();
}

void DispatchRun::walk(std::span<const Walk> together) {
  std::vector<PlacedWalk> walks;
  std::vector<RecentWalks::WalkEnd> stretches;
  std::vector<std::uint32_t> words;
  std::vector<double> delays;
  double slowest = 0;
  for (const auto& walk : together) slowest = std::max(slowest, progress(walk.actor).cycles);
  for (const auto& walk : together) progress(walk.actor).cycles = slowest;
  for (const auto& walk : together) {
    if (walk.steps == 0) continue;
    const AddressRange& where = range(walk.path, walk.binding);
    check(where, walk.base + links_end(walk.image));
    if (walk.path == MemoryPath::local) {
      progress(walk.actor).cycles += static_cast<double>(walk.steps) * device_.model.local.latency_cycles * factor_;
      continue;
    }
    walks.push_back({walk.actor, walk.path, where.base + walk.base, walk.image});
    stretches.push_back({walk.position + walk.steps, walk.steps});
    words.push_back(walk.words);
    const std::uint64_t code = walk.code_blocks * block_bytes(device_.model, kernel_);
    delays.push_back(walk.path == MemoryPath::constant ? constant_delay(device_.model, links_end(walk.image), code) : 0);
  }
  if (!walks.empty()) {
    const auto& averages = memory_.costs.averages(walks);
    // Walks of one actor take turns, so their times add up.
    for (std::size_t i = 0; i < walks.size(); ++i) {
      const double each = averages[i] + word_cycles(walks[i], words[i]) + delays[i];
      progress(walks[i].actor).cycles += static_cast<double>(stretches[i].steps) * each * factor_;
    }
    memory_.recent.add(walks, stretches);
  }
  for (const auto& walk : together) slowest = std::max(slowest, progress(walk.actor).cycles);
  for (const auto& walk : together) progress(walk.actor).cycles = slowest;
}

std::uint64_t DispatchRun::walk_beside(const Walk& one, std::span<const Stream> others, std::uint64_t pause) {
  for (const auto& stream : others) check(range(stream.path, stream.binding), stream.base + stream.bytes);
  const double before = progress(one.actor).cycles;
  walk({&one, 1});
  if (others.empty()) return 0;
  const double moving = std::ranges::max(stream_cycles(device_.model, others));
  const double turn = moving + static_cast<double>(pause) * device_.model.cycles_per_operation;
  double& cycles = progress(one.actor).cycles;
  cycles = before + (cycles - before) * latency_under_load(moving / turn);
  return static_cast<std::uint64_t>(std::llround((cycles - before) / (turn * factor_)));
}

/// The first cache that holds the whole walk serves its further words, else the last one.
double DispatchRun::word_cycles(const PlacedWalk& walk, std::uint32_t words) const {
  const auto& hops = path_taken(device_.model, walk.path).hops;
  if (words <= 1 || hops.empty()) return 0;
  const auto holds = [&](const Hop& hop) { return memory_.model.caches[hop.cache].size_bytes >= links_end(walk.image); };
  const auto serving = std::find_if(hops.begin(), hops.end(), holds);
  return (words - 1) * (serving == hops.end() ? hops.back() : *serving).word_cycles;
}

std::vector<GroupStamp> DispatchRun::stream(std::span<const Stream> together) {
  for (const auto& stream : together) check(range(stream.path, stream.binding), stream.base + stream.bytes);
  return run_together(together, stream_cycles(device_.model, together));
}

std::vector<GroupStamp> DispatchRun::stream_again(const std::string& key, const std::function<std::vector<Stream>()>& together) {
  auto& known = device_.streams;
  auto found = known.find(key);
  if (found == known.end()) {
    const std::vector<Stream> streams = together();
    KnownStreams found_out{stream_cycles(device_.model, streams), {}};
    for (const Stream& each : streams) {
      std::uint64_t& end = found_out.ends[{each.path, each.binding}];
      end = std::max(end, each.base + each.bytes);
    }
    if (known.size() >= kMostKnownStreams) known.clear();
    found = known.emplace(key, std::move(found_out)).first;
  }
  for (const auto& [where, end] : found->second.ends) check(range(where.first, where.second), end);
  return run_on_units(found->second.busy);
}

std::vector<GroupStamp> DispatchRun::run_on_units(const std::vector<double>& busy) {
  const Model& model = device_.model;
  const double begin = cycles();
  std::vector<GroupStamp> stamps(model.units);
  for (std::uint32_t unit = 0; unit < model.units; ++unit) {
    const double end = begin + busy[unit] * factor_;
    if (busy[unit] > 0) progress({unit, 0}).cycles = end;
    stamps[unit].unit = unit;
    if (!model.unit_clock) continue;
    stamps[unit].unit_begin = counter(begin);
    stamps[unit].unit_end = counter(end);
  }
  return stamps;
}

template <typename Work>
std::vector<GroupStamp> DispatchRun::run_together(std::span<const Work> together, const std::vector<double>& busy) {
  const std::vector<GroupStamp> of_units = run_on_units(busy);
  std::vector<GroupStamp> stamps;
  for (const auto& work : together) {
    stamps.resize(std::max<std::size_t>(stamps.size(), work.group + 1));
    stamps[work.group] = of_units[work.group % of_units.size()];
  }
  return stamps;
}

void DispatchRun::atomics(const AtomicChain& chain) {
  const auto& atomics = device_.model.atomics;
  if (!atomics) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_ATOMICS",
                      "the model has no latencies of atomic operations (table [atomics])");
  }
  check(range(chain.path, chain.binding), chain.offset + sizeof(std::uint32_t));
  const bool local = chain.path == MemoryPath::local;
  const double each = cycles_of(local ? atomics->local_cycles : atomics->global_cycles, chain.contenders);
  progress({}).cycles += static_cast<double>(chain.operations) * each * factor_;
}

void DispatchRun::pass_token(const TokenPass& pass) {
  const auto& handover = device_.model.handover;
  if (!handover) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_HANDOVER",
                      "the model has no hand-over costs (table [handover])");
  }
  check(range(pass.path, pass.binding), sizeof(std::uint32_t));
  const double each = pass.path == MemoryPath::local ? handover->local_cycles
                                                     : handover->global_cycles(pass.first, pass.second, device_.model.units);
  progress({pass.first, 0}).cycles += static_cast<double>(pass.passes) * each * factor_;
}

std::vector<GroupStamp> DispatchRun::atomic_streams(std::span<const AtomicStream> together) {
  const auto& atomics = device_.model.atomics;
  if (!atomics || !atomics->throughput) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_ATOMIC_THROUGHPUT",
                      "the model has no throughput of atomic operations (table [atomics.throughput])");
  }
  for (const auto& stream : together) {
    check(range(stream.path, stream.binding),
          stream.offset + std::uint64_t{(stream.lanes - 1) / stream.sharers} * stream.spread + sizeof(std::uint32_t));
  }
  return run_together(together, atomic_cycles(device_.model, together));
}

void DispatchRun::execute(const StraightCode& code) {
  const Model& model = device_.model;
  if (!model.instructions) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_INSTRUCTION_CACHES",
                      "the model has no instruction caches (table [instructions])");
  }
  const std::uint64_t block = block_bytes(model, kernel_);
  const double each = cycles_per_instruction(model, {code.blocks * block, code.actor, code.other_blocks * block, code.other});
  // One subgroup after the other.
  const double begin = cycles();
  progress(code.actor).cycles = begin + static_cast<double>(code.instructions) * each * factor_;
}

void DispatchRun::visit(const LineAccesses& line) {
  const Model& model = device_.model;
  if (!model.chip) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_CHIP_LAYOUT",
                      "the model has no layout of the chip (table [chip])");
  }
  const AddressRange& where = range(MemoryPath::global, line.binding);
  check(where, line.offset + sizeof(std::uint32_t));
  const double each = hit_cycles(model, line.unit, slice_of(model, where.base + line.offset));
  // One unit after the other.
  const double begin = cycles();
  progress({line.unit, 0}).cycles = begin + static_cast<double>(line.count) * each * noise_.factor();
}

std::vector<GroupStamp> DispatchRun::reside(const ResidentGroups& all) {
  const Model& model = device_.model;
  if (!model.residency) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_RESIDENCY",
                      "the model has no residency (table [residency])");
  }
  const std::uint64_t fit = groups_that_fit(model, all);
  if (fit == 0) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_ROOM",
                      "a unit of the model has no room for a single work-group of this kind");
  }
  // Operations of groups that run together overlap. A group starts 1 cycle after another has left.
  const double begin = cycles();
  const double busy = 1 + static_cast<double>(all.operations) * model.cycles_per_operation * factor_;
  std::vector<GroupStamp> stamps(all.groups);
  for (std::uint32_t group = 0; group < all.groups; ++group) {
    const std::uint32_t unit = group % model.units;
    const std::uint64_t turn = group / model.units / fit;
    const double start = begin + static_cast<double>(turn) * (busy + 1);
    stamps[group].unit = unit;
    progress({unit, 0}).cycles = start + busy;
    if (!model.unit_clock) continue;
    stamps[group].unit_begin = counter(start);
    stamps[group].unit_end = counter(start + busy);
  }
  return stamps;
}

void DispatchRun::compute(const Actor& actor, std::uint64_t operations) {
  progress(actor).cycles += static_cast<double>(operations) * device_.model.cycles_per_operation * factor_;
}

void DispatchRun::operate(const Actor& actor, std::uint64_t operations, std::string_view name) {
  const auto known = device_.model.operation_cycles.find(name);
  if (known == device_.model.operation_cycles.end()) return compute(actor, operations);
  progress(actor).cycles += static_cast<double>(operations) * known->second * factor_;
}

std::vector<GroupStamp> DispatchRun::operation_streams(std::span<const OperationStream> together) {
  if (device_.model.schedulers == 0) {
    throw DeviceError(Api::sim, DeviceError::Kind::unsupported, "run", "NO_SCHEDULERS",
                      "the model has no rates of operations (key schedulers)");
  }
  return run_together(together, operation_stream_cycles(device_.model, together));
}

std::uint64_t DispatchRun::unit_clock() {
  const auto& clock = device_.model.unit_clock;
  if (!clock) return 0;
  double& cycles = actors_[latest_].cycles;
  cycles += clock->overhead_cycles;
  return counter(cycles);
}

std::uint64_t DispatchRun::counter(double cycles) const {
  const double tick_mhz = device_.model.unit_clock->tick_mhz;
  if (tick_mhz == 0) return static_cast<std::uint64_t>(static_cast<double>(device_.counter_cycles) + cycles);
  return static_cast<std::uint64_t>((device_.elapsed_ns + device_.clock.ns_for(cycles)) * tick_mhz / 1e3);
}

double DispatchRun::cycles() const {
  return std::max_element(actors_.begin(), actors_.end(),
                          [](const ActorProgress& a, const ActorProgress& b) { return a.cycles < b.cycles; })
      ->cycles;
}

DispatchRun::ActorProgress& DispatchRun::progress(const Actor& actor) {
  const auto is_it = [&](const ActorProgress& one) {
    return one.actor.unit == actor.unit && one.actor.subgroup == actor.subgroup;
  };
  if (is_it(actors_[latest_])) return actors_[latest_];
  const auto found = std::find_if(actors_.begin(), actors_.end(), is_it);
  latest_ = static_cast<std::size_t>(found - actors_.begin());
  if (found == actors_.end()) actors_.push_back({actor, 0});
  return actors_[latest_];
}

const AddressRange& DispatchRun::range(MemoryPath path, std::uint32_t binding) const {
  if (path == MemoryPath::local) return local_;
  if (path == MemoryPath::constant) return constants_;
  if (binding >= bindings_.size())
    throw std::logic_error(fmt::format("kernel {}: an access to a binding it does not have", kernel_.name));
  return bindings_[binding];
}

void DispatchRun::check(const AddressRange& where, std::uint64_t end) const {
  if (end > where.bytes) throw std::logic_error(fmt::format("kernel {}: an access outside its binding", kernel_.name));
}

}  // namespace percycle::sim
