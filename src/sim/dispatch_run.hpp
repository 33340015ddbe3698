#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/kernel.hpp"
#include "sim/cache_contents.hpp"
#include "sim/chase_costs.hpp"
#include "sim/core_clock.hpp"
#include "sim/memory_model.hpp"
#include "sim/model.hpp"
#include "sim/noise_source.hpp"
#include "sim/placed_walk.hpp"
#include "sim/recent_walks.hpp"

namespace percycle::sim {

/// The caches of a device while work-groups declare a certain amount of local memory.
struct CachesState {
  explicit CachesState(Model device_model) : model(std::move(device_model)), caches(model), costs(model), recent(model) {}

  const Model model;
  CacheContents caches;
  ChaseCosts costs;
  RecentWalks recent;
};

/// Streams of an earlier dispatch.
struct KnownStreams {
  std::vector<double> busy;  ///< cycles of each unit
  /// The ends of the accesses by path and binding.
  std::map<std::pair<MemoryPath, std::uint32_t>, std::uint64_t> ends;
};

/// The state of a device that all its dispatches share.
struct DeviceState {
  explicit DeviceState(const Model& device_model) : model(device_model), clock(device_model.clock) {}

  /// The caches with so much declared local memory. Each amount has its own, empty at first.
  CachesState& caches_beside(std::uint64_t local_bytes);

  const Model& model;
  std::map<std::uint64_t, std::unique_ptr<CachesState>> caches;
  std::map<std::string, KnownStreams> streams;  ///< by their keys
  ModelClock clock;
  std::uint64_t dispatches = 0;
  double elapsed_ns = 1e9;  ///< all dispatches so far, after an arbitrary start
  /// The units' counters at the start of the next dispatch; the origin is arbitrary.
  std::uint64_t counter_cycles = 0x123456789;
};

/// A range of simulated addresses that a kernel may access.
struct AddressRange {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
};

/// Accounts the cycles of the accesses of one dispatch's emulation. Every actor has its own cycles,
/// and the dispatch lasts as long as the longest actor.
///
/// - load: the latency that the hierarchy gives (CacheContents); in local memory one latency
/// - store: one arithmetic operation; nothing waits for it
/// - walk: the number of steps times the average of the settled chase, also if the walk is too
///   short to settle or its lines were evicted before. Only later single loads see its lines in the
///   caches.
/// - walk beside streams: the same, times latency_under_load() of the streams' share of the time of
///   a turn
/// - streams: the cycles of their units. All streams begin together after all earlier accesses and
///   leave nothing in the caches.
/// - chains of atomics: the model's latency for the number of contenders, wherever the word is;
///   streams of atomics: the cycles of their units. Both leave nothing in the caches.
/// - tokens: by the units between which they pass
class DispatchRun final : public MemoryModel {
 public:
  /// `constants` are the kernel's, and so is the local memory that it declares and does not use.
  DispatchRun(DeviceState& device, const KernelDesc& kernel, std::span<const AddressRange> bindings,
              const AddressRange& constants, std::uint64_t declared_local_bytes);

  /// Throws std::logic_error for an access outside its binding.
  void access(const Actor& actor, MemoryPath path, std::uint32_t binding, std::uint64_t offset, std::uint32_t bytes,
              AccessKind kind) override;
  void walk(std::span<const Walk> together) override;
  std::uint64_t walk_beside(const Walk& one, std::span<const Stream> others, std::uint64_t pause) override;
  std::vector<GroupStamp> stream(std::span<const Stream> together) override;
  std::vector<GroupStamp> stream_again(const std::string& key, const std::function<std::vector<Stream>()>& together) override;
  /// Throws DeviceError of kind `unsupported` if the model has no atomics, even without any
  /// operation.
  void atomics(const AtomicChain& chain) override;
  /// Throws DeviceError of kind `unsupported` if the model has no throughput of atomics.
  std::vector<GroupStamp> atomic_streams(std::span<const AtomicStream> together) override;
  /// Throws DeviceError of kind `unsupported` if the model has no hand-over costs.
  void pass_token(const TokenPass& pass) override;
  /// Throws DeviceError of kind `unsupported` if the model has no instruction caches.
  void execute(const StraightCode& code) override;
  /// Throws DeviceError of kind `unsupported` if the model has no layout of the chip.
  void visit(const LineAccesses& line) override;
  /// Throws DeviceError of kind `unsupported` if the model has no residency, or no room for a
  /// single group.
  std::vector<GroupStamp> reside(const ResidentGroups& all) override;
  void compute(const Actor& actor, std::uint64_t operations) override;
  void operate(const Actor& actor, std::uint64_t operations, std::string_view name) override;
  /// Throws DeviceError of kind `unsupported` if the model has no schedulers.
  std::vector<GroupStamp> operation_streams(std::span<const OperationStream> together) override;
  /// The clock of the actor that acted last.
  std::uint64_t unit_clock() override;

  /// Cycles of the longest actor, with noise.
  double cycles() const;
  /// The ratio of the launch time to the model's.
  double launch_factor() const { return factor_; }

 private:
  struct ActorProgress {
    Actor actor;
    double cycles = 0;
  };
  ActorProgress& progress(const Actor& actor);
  /// All groups begin together, and each ends with its unit: `busy` has the cycles from now on.
  template <typename Work>
  std::vector<GroupStamp> run_together(std::span<const Work> together, const std::vector<double>& busy);
  /// The same with the stamps of the units.
  std::vector<GroupStamp> run_on_units(const std::vector<double>& busy);
  double word_cycles(const PlacedWalk& walk, std::uint32_t words) const;
  std::uint64_t counter(double cycles) const;
  const AddressRange& range(MemoryPath path, std::uint32_t binding) const;
  void check(const AddressRange& where, std::uint64_t end) const;

  DeviceState& device_;
  CachesState& memory_;
  const KernelDesc& kernel_;
  std::span<const AddressRange> bindings_;
  AddressRange constants_;
  AddressRange local_;
  NoiseSource noise_;
  double factor_;
  std::vector<ActorProgress> actors_;
  std::size_t latest_ = 0;
};

}  // namespace percycle::sim
