#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/emulations/known_sums.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kSourceA = 0;
constexpr std::size_t kSourceB = 1;
constexpr std::size_t kDestination = 2;
constexpr std::size_t kPassSums = 3;
constexpr std::size_t kPassStamps = 4;

// OP_CHECK reads as much of its destination.
bool reads_a(const Execution& run) { return !run.is("OP", "OP_WRITE"); }
bool reads_b(const Execution& run) { return run.is("OP", "OP_TRIAD"); }
bool writes(const Execution& run) { return !run.is("OP", "OP_READ"); }

std::uint64_t chunk_bytes(const Execution& run) {
  return std::uint64_t{run.kernel.local_size} * run.number("UNROLL") * run.number("WIDTH");
}

/// One pass over chunk `chunk` with the words in the buffer. Returns its share of the chunk's sum.
std::uint32_t pass_over(const Execution& run, std::uint32_t chunk) {
  const std::uint64_t channels = run.number("WIDTH") / sizeof(std::uint32_t);
  const std::uint64_t words = chunk_bytes(run) / sizeof(std::uint32_t);
  const std::string& op = run.definition("OP");
  const std::uint32_t factor = run.parameter("factor");
  const std::uint32_t salt = run.parameter("salt");
  const auto a = run.bindings[kSourceA]->contents();
  const auto b = run.bindings[kSourceB]->contents();
  const auto c = writes(run) ? run.bindings[kDestination]->bytes() : std::span<std::byte>();
  const auto each = [&](const auto& act) {
    for (std::uint64_t i = chunk * words; i < (chunk + 1) * words; ++i)
      act(i, static_cast<std::uint32_t>(2 * (i % channels) + 1));
  };
  std::uint32_t sum = 0;
  if (op == "OP_READ") {
    each([&](std::uint64_t i, std::uint32_t times) { sum += times * word_at(a, i); });
  } else if (op == "OP_CHECK") {
    each([&](std::uint64_t i, std::uint32_t times) {
      sum += times * word_at(c, i);
      put_word(c, i, ~word_at(c, i));
    });
  } else if (op == "OP_WRITE") {
    each([&](std::uint64_t i, std::uint32_t times) {
      put_word(c, i, times * lowbias32(static_cast<std::uint32_t>(i / channels) ^ salt));
    });
  } else if (op == "OP_COPY") {
    each([&](std::uint64_t i, std::uint32_t) { put_word(c, i, word_at(a, i)); });
  } else if (op == "OP_SCALE") {
    each([&](std::uint64_t i, std::uint32_t) { put_word(c, i, word_at(a, i) * factor); });
  } else {
    each([&](std::uint64_t i, std::uint32_t) { put_word(c, i, word_at(a, i) + word_at(b, i) * factor); });
  }
  return sum;
}

/// The sums of all chunks. A read finds the same words as long as nothing changes them.
std::vector<std::uint32_t> sums_of_chunks(const Execution& run, std::uint32_t chunks) {
  const auto pass = [&] {
    std::vector<std::uint32_t> sums;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) sums.push_back(pass_over(run, chunk));
    return sums;
  };
  if (!run.is("OP", "OP_READ")) return pass();
  const std::string key = fmt::format("dram_bandwidth {} {} {}", chunks, chunk_bytes(run), run.number("WIDTH"));
  return known_sums(*run.bindings[kSourceA], key, pass);
}

std::vector<Stream> streams_of(const Execution& run, std::uint32_t chunks) {
  std::vector<Stream> streams;
  const std::uint32_t width = run.number("WIDTH");
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    const auto add = [&](std::size_t binding, AccessKind kind) {
      streams.push_back({.group = group,
                         .path = MemoryPath::global,
                         .kind = kind,
                         .binding = static_cast<std::uint32_t>(binding),
                         .base = group % chunks * chunk_bytes(run),
                         .bytes = chunk_bytes(run),
                         .accesses = run.number("UNROLL"),
                         .lanes = run.kernel.local_size,
                         .width = width,
                         .lane_stride = width});
    };
    if (reads_a(run)) add(kSourceA, AccessKind::read);
    if (reads_b(run)) add(kSourceB, AccessKind::read);
    if (writes(run)) add(kDestination, AccessKind::write);
  }
  return streams;
}

/// The first and the last groups of the dispatch leave their stamps.
void put_stamps(const Execution& run, std::span<const GroupStamp> stamps) {
  const std::uint32_t stamped = run.parameter("stamped");
  const std::uint32_t groups = run.parameter("passes") * run.parameter("chunks");
  const auto memory = run.bindings[kPassStamps]->bytes();
  const auto put = [&](std::uint32_t group, std::uint32_t place) {
    std::memcpy(memory.data() + place * sizeof(GroupStamp), &stamps[group % stamps.size()], sizeof(GroupStamp));
  };
  for (std::uint32_t group = 0; group < std::min(stamped, groups); ++group) put(group, group);
  for (std::uint32_t group = groups - std::min(stamped, groups); group < groups; ++group) {
    if (group >= stamped) put(group, stamped + groups - 1 - group);
  }
}

void dram_bandwidth(const Execution& run, MemoryModel& memory) {
  if (run.parameter("passes") == 0) return;
  const bool sums = run.is("OP", "OP_READ") || run.is("OP", "OP_CHECK");
  const std::uint32_t chunks = run.parameter("chunks");
  // Later passes find and write the same words; a check makes one pass.
  const std::vector<std::uint32_t> sum_of = sums_of_chunks(run, std::min(chunks, run.groups));
  const auto found = run.bindings[kPassSums]->bytes();
  for (std::uint32_t chunk = 0; sums && chunk < sum_of.size(); ++chunk) {
    const std::uint32_t passes = (run.groups - chunk + chunks - 1) / chunks;
    put_word(found, chunk, word_at(found, chunk) + passes * sum_of[chunk]);
  }
  const std::string key = fmt::format("dram_bandwidth {} {} {} {} {} {}", run.definition("OP"), chunks, run.groups,
                                      run.number("UNROLL"), run.kernel.local_size, run.number("WIDTH"));
  const auto stamps = memory.stream_again(key, [&] { return streams_of(run, chunks); });
  if (run.is_defined("STAMPS")) put_stamps(run, stamps);
}

const RegisterEmulation registered_dram_bandwidth("dram_bandwidth", dram_bandwidth);

}  // namespace
}  // namespace percycle::sim
