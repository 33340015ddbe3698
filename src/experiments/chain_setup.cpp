#include "experiments/chain_setup.hpp"

#include <algorithm>
#include <cstring>

namespace percycle {
namespace {

constexpr std::uint32_t kGroupSize = 256;
// About 64 MiB of writes or a million dependent-free reads: tens of milliseconds on a slow CPU driver.
constexpr std::uint64_t kNodesPerDispatch = 1u << 19;
constexpr std::uint32_t kParameterWords = 21;
constexpr std::size_t kFirstWord = 0;
constexpr std::size_t kCountWord = 1;

std::vector<std::uint32_t> parameters(const Chain& chain, const ChainLayout& layout) {
  std::vector<std::uint32_t> words{0, 0};
  const auto chain_words = chain.kernel_words();
  words.insert(words.end(), chain_words.begin(), chain_words.end());
  words.push_back(static_cast<std::uint32_t>(layout.stride_bytes / 4));
  words.push_back(layout.link_step);
  words.push_back(layout.lanes);
  words.push_back(0x9e3779b9u);  // seed of the filler: any will do
  return words;
}

std::uint32_t word_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// What ROLE_BUILD does, but for the filler, on which nothing depends.
Meaning build_meaning(const Chain& chain, const ChainLayout& layout) {
  return [chain, layout](const Execution& run, MemoryModel&) {
    for (std::uint32_t id = 0; id < run.parameters[kCountWord]; ++id) {
      const std::uint32_t node = run.parameters[kFirstWord] + id;
      const std::uint32_t position = chain.position(node);
      const std::uint64_t next = chain.place(std::uint64_t{position} + 1);
      const auto link_of = [&](std::uint64_t of) {
        return layout.pointers ? run.address_base + of * layout.stride_bytes : of * layout.link_step;
      };
      const std::uint64_t link = link_of(next);
      std::memcpy(run.bindings[0].data() + node * layout.stride_bytes, &link, layout.pointers ? 8 : 4);
      const std::uint64_t self = link_of(node);
      for (std::uint32_t lane = 0; position == 0 && lane < layout.lanes; ++lane) {
        std::memcpy(run.bindings[1].data() + lane * sizeof self, &self, sizeof self);
      }
    }
  };
}

Meaning touch_meaning(const Chain& chain, const ChainLayout& layout, MemoryPath path) {
  return [chain, layout, path](const Execution& run, MemoryModel& memory) {
    std::vector<std::uint32_t> sums(kGroupSize);
    const std::uint32_t first = run.parameters[kFirstWord];
    for (std::uint32_t i = 0; i < run.parameters[kCountWord]; ++i) {
      const std::uint64_t offset = chain.place(std::uint64_t{first} + i) * layout.stride_bytes;
      memory.access(0, i % kGroupSize, path, 0, offset, 4, AccessKind::read);
      sums[i % kGroupSize] += word_at(run.bindings[0], offset);
    }
    std::memcpy(run.bindings[1].data(), sums.data(), sums.size() * sizeof sums[0]);
  };
}

std::vector<Dispatch> in_pieces(const Dispatch& whole, std::uint64_t nodes, bool one_group) {
  std::vector<Dispatch> pieces;
  for (std::uint64_t first = 0; first < nodes; first += kNodesPerDispatch) {
    const auto count = static_cast<std::uint32_t>(std::min(kNodesPerDispatch, nodes - first));
    Dispatch piece = whole;
    piece.parameters[kFirstWord] = static_cast<std::uint32_t>(first);
    piece.parameters[kCountWord] = count;
    piece.groups = one_group ? 1 : (count + kGroupSize - 1) / kGroupSize;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace

std::vector<Dispatch> build_chain(Device& device, const std::shared_ptr<Buffer>& memory, const std::shared_ptr<Buffer>& state,
                                  const Chain& chain, const ChainLayout& layout) {
  // Addresses reach all of a buffer where a storage binding has a smaller limit.
  const bool by_address = device.info().buffer_addresses;
  KernelDesc desc{.name = "chain",
                  .definitions = {{"ROLE", "ROLE_BUILD"}, {"LINK_BITS", layout.pointers ? "64" : "32"}},
                  .local_size = kGroupSize,
                  .bindings = {by_address ? BindingKind::address : BindingKind::storage, BindingKind::storage},
                  .parameter_words = kParameterWords,
                  .constants = {},
                  .subgroup_size = {},
                  .meaning = build_meaning(chain, layout)};
  if (by_address) desc.definitions["CHAIN_ADDRESS"] = "1";
  const Dispatch whole{device.create(desc), {{memory, nullptr}, {state, nullptr}}, parameters(chain, layout), 1};
  return in_pieces(whole, chain.nodes(), false);
}

std::vector<Dispatch> touch_chain(Device& device, const Binding& memory, BindingKind kind, const Chain& chain,
                                  const ChainLayout& layout) {
  KernelDesc desc{.name = "chain",
                  .definitions = {{"ROLE", "ROLE_TOUCH"}},
                  .local_size = kGroupSize,
                  .bindings = {kind, BindingKind::storage},
                  .parameter_words = kParameterWords,
                  .constants = {},
                  .subgroup_size = {},
                  .meaning = touch_meaning(chain, layout, kind == BindingKind::texel ? MemoryPath::texture : MemoryPath::global)};
  if (kind == BindingKind::address) desc.definitions["CHAIN_ADDRESS"] = "1";
  if (kind == BindingKind::texel) desc.definitions["CHAIN_TEXEL"] = "1";
  const auto sink = device.create(BufferDesc{kGroupSize * sizeof(std::uint32_t)});
  const Dispatch whole{device.create(desc), {memory, {sink, nullptr}}, parameters(chain, layout), 1};
  return in_pieces(whole, chain.nodes(), true);
}

}  // namespace percycle
