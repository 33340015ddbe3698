#include "sim/atomic_costs.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/cache_contents.hpp"

namespace percycle::sim {
namespace {

/// A binding and a word or a line in it.
using Place = std::pair<std::uint32_t, std::uint64_t>;

/// Calls `use` with the byte offset of each word in the stream and the operations on it.
template <typename Use>
void for_each_word(const AtomicStream& stream, const Use& use) {
  std::uint64_t byte = stream.offset;
  for (std::uint32_t lane = 0; lane < stream.lanes; lane += stream.sharers, byte += stream.spread) {
    use(byte, static_cast<double>(std::min(stream.sharers, stream.lanes - lane)) * static_cast<double>(stream.operations));
  }
}

double all_operations(const AtomicStream& stream) {
  return static_cast<double>(stream.lanes) * static_cast<double>(stream.operations);
}

/// The unit of contention of global atomics: a line of the last cache, if there is one.
std::uint64_t line_bytes(const Model& model) {
  const Path& path = path_taken(model, MemoryPath::global);
  return path.hops.empty() ? sizeof(std::uint32_t) : model.caches[path.hops.back().cache].line_bytes;
}

/// The operations of all work-groups on global memory.
class GlobalOperations {
 public:
  GlobalOperations(const Model& model, std::span<const AtomicStream> together)
      : rates_(*model.atomics->throughput), line_bytes_(line_bytes(model)) {
    for (const auto& stream : together) {
      if (stream.path == MemoryPath::local) continue;
      total_ += all_operations(stream);
      for_each_word(stream, [&](std::uint64_t byte, double operations) {
        words_[{stream.binding, byte}] += operations;
        lines_[{stream.binding, byte / line_bytes_}] += operations;
      });
    }
  }

  /// Cycles of the stream's shared resources.
  double cycles(const AtomicStream& stream) const {
    double longest = total_ / rates_.global_device;
    for_each_word(stream, [&](std::uint64_t byte, double) {
      longest = std::max({longest, words_.at({stream.binding, byte}) / rates_.global_word,
                          lines_.at({stream.binding, byte / line_bytes_}) / rates_.global_line});
    });
    return longest;
  }

 private:
  const AtomicRates& rates_;
  std::uint64_t line_bytes_;
  double total_ = 0;
  std::map<Place, double> words_;
  std::map<Place, double> lines_;
};

}  // namespace

std::vector<double> atomic_cycles(const Model& model, std::span<const AtomicStream> together) {
  const AtomicRates& rates = *model.atomics->throughput;
  const GlobalOperations global(model, together);
  struct Unit {
    double own = 0;     ///< cycles of the unit's operations
    double shared = 0;  ///< the maximum over words, lines and the device
  };
  std::vector<Unit> units(model.units);
  for (const auto& stream : together) {
    Unit& unit = units[stream.group % model.units];
    const bool local = stream.path == MemoryPath::local;
    unit.own += all_operations(stream) / (local ? rates.local_unit : rates.global_unit);
    if (local) {
      for_each_word(
          stream, [&](std::uint64_t, double operations) { unit.shared = std::max(unit.shared, operations / rates.local_word); });
    } else {
      unit.shared = std::max(unit.shared, global.cycles(stream));
    }
  }
  std::vector<double> busy;
  for (const Unit& unit : units) busy.push_back(std::max(unit.own, unit.shared));
  return busy;
}

}  // namespace percycle::sim
