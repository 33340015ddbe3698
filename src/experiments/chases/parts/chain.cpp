#include "experiments/chases/parts/chain.hpp"

#include <algorithm>
#include <array>

#include "experiments/common/grouped_kernel.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kMostOfGroup = 256;
// About 64 MiB of writes or half a million independent reads: tens of milliseconds on a CPU driver.
constexpr std::uint64_t kNodesPerDispatch = 1u << 19;
// Most filler behind a node: up to the next node of a dense chain, or all that a cache could fetch.
constexpr std::uint64_t kMostFilledBytes = 256;

const std::vector<KernelParameter> kChainSetupParameters{{"first", "first position (touch) or node (build) of this dispatch"},
                                                         {"count", "positions or nodes of this dispatch"},
                                                         {"groups", "groups of nodes in the chain"},
                                                         {"group", "nodes per group"},
                                                         {"mask", "2^k - 1, k the bits of groups - 1"},
                                                         {"shift", "xor-shift, at least k / 2, so that it is its own inverse"},
                                                         {"inner_mask", "the same for the order within a group"},
                                                         {"inner_shift", ""},
                                                         {"multiply", "odd", 4},
                                                         {"add", "", 4},
                                                         {"inverse", "inverse of multiply, modulo 2^32", 4},
                                                         {"columns", "nodes per row"},
                                                         {"stride_words", "distance of the nodes of a row"},
                                                         {"row_words", "distance of rows"},
                                                         {"link_unit", "a 32-bit link is a byte offset divided by this"},
                                                         {"fill_words", "words to write per node, link included"},
                                                         {"lanes", "entries of state to start at position 0"},
                                                         {"fill_seed", ""}};

KernelValues parameters(const ChainImage& image) {
  const auto& [chain, layout] = image;
  const ChainArithmetic arithmetic = chain.arithmetic();
  const auto all = [](const std::array<std::uint32_t, 4>& words) {
    return std::vector<std::uint32_t>(words.begin(), words.end());
  };
  const auto words = [](std::uint64_t bytes) { return static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t)); };
  const std::uint64_t apart = layout.columns == 0 ? layout.stride_bytes : std::min(layout.stride_bytes, layout.row_stride_bytes);
  return {{"first", 0},
          {"count", 0},
          {"groups", arithmetic.groups},
          {"group", arithmetic.group},
          {"mask", arithmetic.outer.mask},
          {"shift", arithmetic.outer.shift},
          {"inner_mask", arithmetic.inner.mask},
          {"inner_shift", arithmetic.inner.shift},
          {"multiply", all(arithmetic.multiply)},
          {"add", all(arithmetic.add)},
          {"inverse", all(arithmetic.inverse)},
          {"columns", static_cast<std::uint32_t>(layout.columns == 0 ? chain.nodes() : layout.columns)},
          {"stride_words", words(layout.stride_bytes)},
          {"row_words", words(layout.row_stride_bytes)},
          {"link_unit", layout.link_unit},
          {"fill_words", words(std::min(apart, kMostFilledBytes))},
          {"lanes", layout.lanes},
          {"fill_seed", 0x9e3779b9u}};  // any value works
}

/// The kernel for a chain in an image of two dimensions.
void define_texels(KernelDesc& desc, const ChainImage& image) {
  if (image.layout.texel_step > 0) desc.definitions["LINK_TEXELS"] = std::to_string(image.layout.texel_step);
}

/// Pieces of a dispatch; in one work-group if `group_size` is 0.
std::vector<Dispatch> in_pieces(const Dispatch& whole, std::uint64_t nodes, std::uint32_t group_size) {
  std::vector<Dispatch> pieces;
  for (std::uint64_t first = 0; first < nodes; first += kNodesPerDispatch) {
    const auto count = static_cast<std::uint32_t>(std::min(kNodesPerDispatch, nodes - first));
    Dispatch piece = whole;
    piece.parameters.at("first") = static_cast<std::uint32_t>(first);
    piece.parameters.at("count") = count;
    piece.groups = group_size == 0 ? 1 : (count + group_size - 1) / group_size;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace

std::vector<Dispatch> build_chain(Device& device, const std::shared_ptr<Buffer>& memory, const std::shared_ptr<Buffer>& state,
                                  const ChainImage& image) {
  // A storage binding may have a smaller limit than the buffer. Addresses reach all of it.
  const bool by_address = device.info().buffer_addresses;
  KernelDesc desc{.name = "chain",
                  .definitions = {{"ROLE", "ROLE_BUILD"}, {"LINK_BITS", image.layout.pointers ? "64" : "32"}},
                  .bindings = {{"memory", by_address ? BindingKind::address : BindingKind::storage}, {"state"}},
                  .parameters = kChainSetupParameters};
  if (by_address) desc.definitions["CHAIN_ADDRESS"] = "1";
  define_texels(desc, image);
  const auto [kernel, group_size] = grouped_kernel(device, desc, kMostOfGroup);
  const Dispatch whole{kernel, {{memory, nullptr}, {state, nullptr}}, parameters(image), 1};
  return in_pieces(whole, image.chain.nodes(), group_size);
}

Binding bound(Device& device, const std::shared_ptr<Buffer>& memory, BindingKind kind) {
  if (kind != BindingKind::texel) return {memory, nullptr};
  return {nullptr, device.create(ImageDesc{memory, TexelFormat::r32_uint})};
}

std::vector<Dispatch> touch_chain(Device& device, const Binding& memory, BindingKind kind, const ChainImage& image) {
  KernelDesc desc{.name = "chain",
                  .definitions = {{"ROLE", "ROLE_TOUCH"}},
                  .bindings = {{"memory", kind}, {"sink"}},
                  .parameters = kChainSetupParameters};
  if (kind == BindingKind::address) desc.definitions["CHAIN_ADDRESS"] = "1";
  if (kind == BindingKind::texel) desc.definitions["CHAIN_TEXEL"] = "1";
  define_texels(desc, image);
  const auto sink = device.create(BufferDesc{kMostOfGroup * sizeof(std::uint32_t)});
  const Dispatch whole{grouped_kernel(device, desc, kMostOfGroup).kernel, {memory, {sink, nullptr}}, parameters(image), 1};
  return in_pieces(whole, image.chain.nodes(), 0);
}

}  // namespace percycle
