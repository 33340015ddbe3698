#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "core/chain.hpp"
#include "sim/emulation.hpp"

namespace percycle::sim {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kVectorBytes = 16;     // of the widest load
constexpr std::uint32_t kAtomicsPerLoop = 16;  // of a lane
// Walks by several subgroups or along two paths.
constexpr std::uint64_t kLoadsPerTurn = 31;
constexpr std::uint32_t kConstantBytes = 16;  // of an element

// Words of `state` with a kernel's own clocks.
constexpr std::size_t kUnitTicksWord = 2;
constexpr std::size_t kDeviceTicksWord = 6;

inline std::uint32_t word_at(std::span<const std::byte> bytes, std::uint64_t i) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + i * sizeof word, sizeof word);
  return word;
}

inline void put_word(std::span<std::byte> bytes, std::uint64_t i, std::uint32_t word) {
  std::memcpy(bytes.data() + i * sizeof word, &word, sizeof word);
}

/// The chain as the model's caches see it. No model knows how a driver tiles an image: the texels
/// around a node lie in one piece, one piece behind the other.
inline ChainImage tiled(ChainImage image) {
  if (image.layout.texel_step == 0) return image;
  image.layout = {.stride_bytes = image.layout.texel_step * image.layout.stride_bytes, .link_unit = image.layout.link_unit};
  return image;
}

/// All that a binding holds.
template <typename T>
std::vector<T> values_of(BoundMemory& memory) {
  const auto bytes = memory.contents();
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Writes the values to the head of a binding.
template <typename T>
void put_values(BoundMemory& memory, const std::vector<T>& values) {
  std::memcpy(memory.bytes().data(), values.data(), values.size() * sizeof(T));
}

}  // namespace percycle::sim
