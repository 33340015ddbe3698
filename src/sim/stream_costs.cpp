#include "sim/stream_costs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/cache_contents.hpp"
#include "sim/operation_costs.hpp"

namespace percycle::sim {
namespace {

/// A region: the binding and the range in it.
using Region = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

/// One instance of a cache and its use by all streams.
struct CacheUse {
  std::set<Region> regions;      ///< of the streams that use it
  std::uint64_t held_bytes = 0;  ///< all regions, each once

  void add(const Stream& stream) {
    if (regions.emplace(stream.binding, stream.base, stream.bytes).second) held_bytes += stream.bytes;
  }
};

/// Bytes that move in whole granules; 1: only the requested bytes.
std::uint64_t moved_bytes(const Stream& stream, std::uint64_t granule) {
  const std::uint64_t requested = stream.accesses * stream.lanes * stream.width;
  return stream.row && granule > 1 ? requested / stream.row->asked_bytes() * touched_bytes(*stream.row, granule) : requested;
}

/// Consecutive accesses of a group: its subgroups take turns.
double accesses_in_turn(const Model& model, const Stream& stream) {
  const std::uint32_t subgroups = (stream.lanes + model.subgroup_size - 1) / model.subgroup_size;
  return static_cast<double>(stream.accesses) * (stream.dependent ? 1 : subgroups);
}

/// Adds up the cycles of limited streams and keeps the longest of the others.
struct UnitTime {
  double local = 0;      ///< in local memory
  double dependent = 0;  ///< the longest
  double shared = 0;     ///< in the slowest cache or memory
  double fmas = 0;       ///< between the accesses
  double cycles() const { return std::max({local, dependent, shared, fmas}); }
};

/// A stream on its way through the levels.
struct Passing {
  const Stream& stream;
  const Path& path;
  bool served = false;
  bool limited = false;
  double latency;
  std::uint64_t granule = 1;  ///< bytes of one request of the level before
};

class StreamSharing {
 public:
  explicit StreamSharing(const Model& model) : model_(model), units_(model.units) {}

  std::vector<double> cycles(std::span<const Stream> streams) {
    std::vector<Passing> passing;
    for (const auto& stream : streams) {
      if (stream.fmas > 0 && model_.schedulers > 0)
        units_[unit_of(stream)].fmas += static_cast<double>(stream.fmas * stream.lanes) / results_per_cycle(model_, "fp32-fma");
      if (stream.path == MemoryPath::local) {
        serve_locally(stream);
      } else {
        const Path& path = path_taken(model_, stream.path);
        passing.push_back({.stream = stream, .path = path, .latency = path.memory_latency_cycles});
      }
    }
    std::size_t deepest = 0;
    for (const auto& each : passing) deepest = std::max(deepest, each.path.hops.size());
    for (std::size_t level = 0; level < deepest; ++level) serve(passing, level);
    for (auto& each : passing) {
      if (!each.served) pass(each, {model_.caches.size(), 0}, model_.memory_bytes_per_cycle);
      if (each.limited) continue;
      double& longest = units_[unit_of(each.stream)].dependent;
      longest = std::max(longest, accesses_in_turn(model_, each.stream) * each.latency);
    }
    for (const auto& [where, busy] : busy_) {
      for (const std::uint32_t unit : users_[where]) units_[unit].shared = std::max(units_[unit].shared, busy);
    }
    std::vector<double> all;
    for (const auto& unit : units_) all.push_back(unit.cycles());
    return all;
  }

 private:
  /// A cache of the model and its instance; memory comes after the last cache.
  using Place = std::pair<std::size_t, std::uint64_t>;

  /// Streams that no earlier level serves go through this level's caches. A cache serves the
  /// streams that fit.
  void serve(std::vector<Passing>& passing, std::size_t level) {
    std::map<Place, CacheUse> instances;
    const auto asks = [&](const Passing& each) { return !each.served && level < each.path.hops.size(); };
    const auto place = [&](const Passing& each) {
      const std::size_t cache = each.path.hops[level].cache;
      return Place{cache, instance_of(model_.caches[cache], {unit_of(each.stream), 0})};
    };
    for (const auto& each : passing) {
      if (asks(each)) instances[place(each)].add(each.stream);
    }
    for (auto& each : passing) {
      if (!asks(each)) continue;
      const Hop& hop = each.path.hops[level];
      const Cache& cache = model_.caches[hop.cache];
      pass(each, place(each), cache.bytes_per_cycle * copies_used(cache, each.stream));
      each.granule = std::max(each.granule, cache.sector_bytes);
      if (each.stream.coherent && cache.scope == Scope::unit) continue;
      if (instances[place(each)].held_bytes > cache.size_bytes) continue;
      each.served = true;
      each.latency = hop.latency_cycles;
    }
  }

  void pass(Passing& each, const Place& where, double bytes_per_cycle) {
    if (bytes_per_cycle <= 0 || each.stream.dependent) return;
    each.limited = true;
    busy_[where] += static_cast<double>(moved_bytes(each.stream, each.granule)) / bytes_per_cycle;
    users_[where].insert(unit_of(each.stream));
  }

  void serve_locally(const Stream& stream) {
    UnitTime& unit = units_[unit_of(stream)];
    const std::uint32_t lanes = std::min(stream.lanes, model_.subgroup_size);
    const double banks = bank_cycles(model_.local, lanes, stream.width, stream.lane_stride);
    if (stream.dependent) {
      unit.dependent = std::max(unit.dependent, accesses_in_turn(model_, stream) * (model_.local.latency_cycles + banks - 1));
    } else {
      const double limit = model_.local.bytes_per_cycle;
      const double delivery = limit > 0 ? static_cast<double>(lanes) * stream.width / limit : 0;
      unit.local += accesses_in_turn(model_, stream) * std::max(banks, delivery);
    }
  }

  /// A group's subgroups spread over the copies that a unit has.
  std::uint32_t copies_used(const Cache& cache, const Stream& stream) const {
    return std::clamp(stream.lanes / model_.subgroup_size, 1u, cache.copies);
  }

  std::uint32_t unit_of(const Stream& stream) const { return stream.group % model_.units; }

  const Model& model_;
  std::vector<UnitTime> units_;
  std::map<Place, double> busy_;  // cycles
  std::map<Place, std::set<std::uint32_t>> users_;
};

}  // namespace

std::uint32_t bank_cycles(const LocalMemory& local, std::uint32_t lanes, std::uint32_t width, std::uint32_t lane_stride) {
  std::vector<std::set<std::uint64_t>> words(local.banks);
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    for (std::uint64_t byte = lane * lane_stride; byte < lane * lane_stride + width; byte += local.bank_bytes) {
      const std::uint64_t word = byte / local.bank_bytes;
      words[word % local.banks].insert(word);
    }
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return static_cast<std::uint32_t>(most);
}

double latency_under_load(double share) {
  constexpr double kLimit = 1.25;
  return 1 + share / (2 * (kLimit - share));
}

std::vector<double> stream_cycles(const Model& model, std::span<const Stream> streams) {
  return StreamSharing(model).cycles(streams);
}

}  // namespace percycle::sim
