#include "experiments/chases/parts/chain_setup.hpp"

#include <algorithm>

namespace percycle {
namespace {

constexpr std::uint32_t kGroupSize = 256;
// About 64 MiB of writes or a million dependent-free reads: tens of milliseconds on a slow CPU driver.
constexpr std::uint64_t kNodesPerDispatch = 1u << 19;
constexpr std::uint32_t kParameterWords = 27;
constexpr std::size_t kFirstWord = 0;
constexpr std::size_t kCountWord = 1;
// Filler behind a node: all the way to the next in a dense chain; where nodes lie apart, what a cache could fetch with it.
constexpr std::uint64_t kMostFilledBytes = 256;

std::vector<std::uint32_t> parameters(const ChainImage& image) {
  const auto& [chain, layout] = image;
  std::vector<std::uint32_t> words{0, 0};
  const auto chain_words = chain.kernel_words();
  words.insert(words.end(), chain_words.begin(), chain_words.end());
  const std::uint64_t apart = layout.columns == 0 ? layout.stride_bytes : std::min(layout.stride_bytes, layout.row_stride_bytes);
  const std::uint64_t columns = layout.columns == 0 ? chain.nodes() : layout.columns;
  for (const std::uint64_t word : {columns, layout.stride_bytes / 4, layout.row_stride_bytes / 4, std::uint64_t{layout.link_unit},
                                   std::min(apart, kMostFilledBytes) / 4, std::uint64_t{layout.lanes}}) {
    words.push_back(static_cast<std::uint32_t>(word));
  }
  words.push_back(0x9e3779b9u);  // seed of the filler: any will do
  return words;
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
                                  const ChainImage& image) {
  // Addresses reach all of a buffer where a storage binding has a smaller limit.
  const bool by_address = device.info().buffer_addresses;
  KernelDesc desc{.name = "chain",
                  .definitions = {{"ROLE", "ROLE_BUILD"}, {"LINK_BITS", image.layout.pointers ? "64" : "32"}},
                  .local_size = kGroupSize,
                  .bindings = {by_address ? BindingKind::address : BindingKind::storage, BindingKind::storage},
                  .parameter_words = kParameterWords,
                  .constants = {},
                  .subgroup_size = {}};
  if (by_address) desc.definitions["CHAIN_ADDRESS"] = "1";
  const Dispatch whole{device.create(desc), {{memory, nullptr}, {state, nullptr}}, parameters(image), 1};
  return in_pieces(whole, image.chain.nodes(), false);
}

std::vector<Dispatch> touch_chain(Device& device, const Binding& memory, BindingKind kind, const ChainImage& image) {
  KernelDesc desc{.name = "chain",
                  .definitions = {{"ROLE", "ROLE_TOUCH"}},
                  .local_size = kGroupSize,
                  .bindings = {kind, BindingKind::storage},
                  .parameter_words = kParameterWords,
                  .constants = {},
                  .subgroup_size = {}};
  if (kind == BindingKind::address) desc.definitions["CHAIN_ADDRESS"] = "1";
  if (kind == BindingKind::texel) desc.definitions["CHAIN_TEXEL"] = "1";
  const auto sink = device.create(BufferDesc{kGroupSize * sizeof(std::uint32_t)});
  const Dispatch whole{device.create(desc), {memory, {sink, nullptr}}, parameters(image), 1};
  return in_pieces(whole, image.chain.nodes(), true);
}

}  // namespace percycle
