#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/sim/chase_costs.hpp"
#include "device/sim/core_clock.hpp"
#include "device/sim/hierarchy.hpp"
#include "device/sim/memory_model.hpp"
#include "device/sim/model.hpp"
#include "device/sim/noise_source.hpp"
#include "device/sim/recent_walks.hpp"

namespace percycle::sim {

/// What lives as long as the device and every dispatch uses.
struct DeviceState {
  explicit DeviceState(const Model& of) : model(of), caches(of), costs(of), recent(of), clock(of.clock) {}

  const Model& model;
  Hierarchy caches;
  ChaseCosts costs;
  RecentWalks recent;
  CoreClock clock;
  std::uint64_t dispatches = 0;
  double elapsed_ns = 1e9;                     ///< of all dispatches together, and what went before
  std::uint64_t counter_cycles = 0x123456789;  ///< of the units' counters when the next dispatch begins; they begin anywhere
};

/// A range of simulated addresses that a kernel may access.
struct AddressRange {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
};

/// Takes the accesses of one dispatch's meaning and accounts their cycles.
///
/// Every actor has cycles of its own; the dispatch lasts as long as the longest. A load takes what the Hierarchy says. A store is not waited
/// for and takes one arithmetic operation. Local memory has one latency. A walk takes its steps times the average of the chase once it has
/// settled: also where it is too short to settle, or where something evicted its lines before; only its accesses after it, load by load, see what
/// it left in the caches. Streams take what stream_cycles() says of their units, begin together after all that went before and leave nothing
/// in the caches. Chains of atomics take what the model says of that many contenders, wherever the word lies, and leave nothing there either;
/// nor do streams of atomics, which take what atomic_cycles() says of their units, and tokens, by the units between which they pass.
class DispatchRun final : public MemoryModel {
 public:
  /// `kernel` names the culprit of an access outside `bindings`; `constants` of the kernel.
  DispatchRun(DeviceState& device, const std::string& kernel, std::span<const AddressRange> bindings,
              const AddressRange& constants);

  /// Throws std::logic_error for an access outside its binding.
  void access(const Actor& actor, MemoryPath path, std::uint32_t binding, std::uint64_t offset, std::uint32_t bytes,
              AccessKind kind) override;
  void walk(std::span<const Walk> together) override;
  std::vector<GroupStamp> stream(std::span<const Stream> together) override;
  /// Throws DeviceError of kind `unsupported` where the model has no atomics, also for none of them.
  void atomics(const AtomicChain& chain) override;
  /// Likewise, where it says nothing of their throughput.
  std::vector<GroupStamp> atomic_streams(std::span<const AtomicStream> together) override;
  /// Likewise, where it says nothing of hand-overs.
  void pass_token(const TokenPass& pass) override;
  void compute(const Actor& actor, std::uint64_t operations) override;
  void operate(const Actor& actor, std::uint64_t operations, std::string_view name) override;
  /// Of the actor that did something last.
  std::uint64_t unit_clock() override;

  /// Of the longest actor, noise included.
  double cycles() const;
  /// What the launch takes longer than the model says.
  double launch_factor() const { return factor_; }

 private:
  struct Progress {
    Actor actor;
    double cycles = 0;
  };
  Progress& progress(const Actor& actor);
  /// All groups begin together, and each ends with the unit that it runs on: `busy` for so many cycles from now.
  template <typename Work>
  std::vector<GroupStamp> run_together(std::span<const Work> together, const std::vector<double>& busy);
  std::uint64_t counter(double cycles) const;
  const AddressRange& range(MemoryPath path, std::uint32_t binding) const;
  void check(const AddressRange& where, std::uint64_t end) const;

  DeviceState& device_;
  const std::string& kernel_;
  std::span<const AddressRange> bindings_;
  AddressRange constants_;
  AddressRange local_;
  NoiseSource noise_;
  double factor_;
  std::vector<Progress> actors_;
  std::size_t latest_ = 0;
};

}  // namespace percycle::sim
