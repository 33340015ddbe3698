#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

ChainImage image_of(const Execution& run, bool pointers) {
  const auto four = [&](const char* name) {
    std::array<std::uint32_t, 4> words{};
    std::copy_n(run.array(name).begin(), words.size(), words.begin());
    return words;
  };
  const Chain chain(ChainArithmetic{.groups = run.parameter("groups"),
                                    .group = run.parameter("group"),
                                    .outer = {run.parameter("mask"), run.parameter("shift")},
                                    .inner = {run.parameter("inner_mask"), run.parameter("inner_shift")},
                                    .multiply = four("multiply"),
                                    .add = four("add"),
                                    .inverse = four("inverse")});
  ChainLayout layout{.stride_bytes = std::uint64_t{run.parameter("stride_words")} * kWordBytes,
                     .columns = run.parameter("columns"),
                     .row_stride_bytes = std::uint64_t{run.parameter("row_words")} * kWordBytes,
                     .pointers = pointers,
                     .link_unit = run.parameter("link_unit"),
                     .lanes = run.parameter("lanes"),
                     .texel_step = run.is_defined("LINK_TEXELS") ? run.number("LINK_TEXELS") : 0};
  // The host describes a single row of all nodes like this.
  if (layout.row_stride_bytes == 0 && layout.columns == chain.nodes()) layout.columns = 0;
  return {chain, layout};
}

/// ROLE_BUILD without the filler, whose content does not matter.
void build(const Execution& run) {
  const ChainImage image = image_of(run, run.is("LINK_BITS", "64"));
  const std::uint32_t begin = run.parameter("first");
  run.bindings[0]->hold(image, begin, run.parameter("count"), run.addresses[0]);
  const std::uint32_t start = image.chain.place(0);
  if (start < begin || start - begin >= run.parameter("count")) return;
  const std::uint64_t self = image.link_to(0, run.addresses[0]);
  for (std::uint32_t lane = 0; lane < image.layout.lanes; ++lane) {
    std::memcpy(run.bindings[1]->bytes().data() + lane * sizeof self, &self, sizeof self);
  }
}

/// If the chain has only been held, not written, the sums are left out: their values do not matter.
void touch(const Execution& run, MemoryModel& memory) {
  ChainImage image = image_of(run, false);
  const ChainImage* held = run.bindings[0]->chain();
  // The same walk as that of a chase that continues from here.
  if (held != nullptr && held->chain == image.chain) image.layout.pointers = held->layout.pointers;
  const bool is_texture = run.is_defined("CHAIN_TEXEL") || run.is_defined("LINK_TEXELS");
  const MemoryPath path = is_texture ? MemoryPath::texture : MemoryPath::global;
  const Walk walk{{}, path, 0, tiled(image), 0, run.parameter("first"), run.parameter("count")};
  memory.walk({&walk, 1});
  if (held != nullptr) return;
  const auto bytes = run.bindings[0]->contents();
  std::vector<std::uint32_t> sums(run.kernel.local_size);
  for (std::uint64_t i = 0; i < walk.steps; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + image.layout.offset(image.chain.place(walk.position + i)), sizeof value);
    sums[i % sums.size()] += value;
  }
  put_values(*run.bindings[1], sums);
}

void chain(const Execution& run, MemoryModel& memory) {
  if (run.is("ROLE", "ROLE_BUILD")) return build(run);
  touch(run, memory);
}

const RegisterEmulation registered_chain("chain", chain);

}  // namespace
}  // namespace percycle::sim
