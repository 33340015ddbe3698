#include "expected/stores.hpp"

#include <vector>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kStoreSource = 0;
constexpr std::size_t kStoreTarget = 1;

struct StoreRun {
  StoreShape shape;
  bool copies = false;
  bool local = false;
  std::uint64_t source_stride = 0;  ///< in elements

  std::uint64_t element_bytes() const { return shape.channels * std::uint64_t{kWordBytes}; }
};

StoreRun store_run_of(const Execution& run) {
  return {.shape = {.channels = run.number("WIDTH") / kWordBytes,
                    .lanes = run.number("LANES"),
                    .unroll = run.number("UNROLL"),
                    .tile_lanes = run.parameter("tile_lanes"),
                    .tiles = run.parameter("tiles")},
          .copies = run.is("OPERATION", "OPERATION_COPY"),
          .local = run.is("PATH", "PATH_LOCAL"),
          .source_stride = run.parameter("source_stride")};
}

std::vector<Stream> store_streams(const Execution& run, const StoreRun& stores) {
  std::vector<Stream> streams;
  const std::uint64_t width = stores.element_bytes();
  const std::uint64_t bytes = stores.shape.elements() * width;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    const auto add = [&](AccessKind kind, std::size_t binding, std::uint64_t base, bool coherent) {
      streams.push_back({.group = group,
                         .path = stores.local ? MemoryPath::local : MemoryPath::global,
                         .kind = kind,
                         .binding = static_cast<std::uint32_t>(binding),
                         .base = base,
                         .bytes = bytes,
                         .accesses = run.parameter("laps") * stores.shape.tiles * stores.shape.unroll,
                         .lanes = run.kernel.local_size,
                         .width = static_cast<std::uint32_t>(width),
                         .lane_stride = static_cast<std::uint32_t>(width),
                         .coherent = coherent});
    };
    if (stores.copies)
      add(AccessKind::read, kStoreSource, group * stores.source_stride * width, run.is("ACCESS", "ACCESS_COHERENT"));
    // Stores pass the caches of a unit on their way to the first one that units share.
    add(AccessKind::write, kStoreTarget, stores.local ? 0 : group * bytes, true);
  }
  return streams;
}

void stores(const Execution& run, MemoryModel& memory) {
  const StoreRun made = store_run_of(run);
  const StoreShape& shape = made.shape;
  put_values(*run.bindings[3], memory.stream(store_streams(run, made)));

  const std::uint32_t laps = run.parameter("laps");
  const std::uint32_t salt = run.parameter("salt");
  const std::uint64_t region_words = shape.elements() * shape.channels;
  const auto source = run.bindings[kStoreSource]->contents();
  const auto target = run.bindings[kStoreTarget]->bytes();
  std::vector<std::uint32_t> counters;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    for (std::uint32_t lane = 0; lane < run.kernel.local_size; ++lane)
      counters.push_back(shape.written(salt, group, lane % shape.tile_lanes, 0, laps * shape.tiles));
    for (std::uint64_t i = 0; i < region_words && laps > 0; ++i) {
      const std::uint64_t from = group * made.source_stride * shape.channels + i;
      const std::uint32_t word =
          made.copies ? word_at(source, from)
                      : shape.left(salt, group, i / shape.channels, static_cast<std::uint32_t>(i % shape.channels), laps);
      put_word(target, group * region_words + i, word);
    }
  }
  put_values(*run.bindings[2], counters);
}

const RegisterEmulation registered_stores("stores", stores);

}  // namespace
}  // namespace percycle::sim
