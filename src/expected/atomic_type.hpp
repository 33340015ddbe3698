#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace percycle {

/// The type of a word of kernel pair `atomic_latency`.
enum class AtomicType { int32, int64, float32 };

/// A type's names for users and in kernels.
struct AtomicTypeName {
  std::string_view name;
  const char* definition;
  AtomicType type;
};

/// Sweeps use the first.
inline constexpr std::array<AtomicTypeName, 3> kAtomicTypes{{{"int32", "WORD_INT32", AtomicType::int32},
                                                             {"int64", "WORD_INT64", AtomicType::int64},
                                                             {"float", "WORD_FLOAT", AtomicType::float32}}};

/// The type of that name, which must exist.
inline const AtomicTypeName& atomic_type(std::string_view name) {
  return *std::find_if(kAtomicTypes.begin(), kAtomicTypes.end(), [&](const AtomicTypeName& each) { return each.name == name; });
}

/// The type that a kernel's definition names, which must exist.
inline const AtomicTypeName& atomic_type_defined(std::string_view definition) {
  return *std::find_if(kAtomicTypes.begin(), kAtomicTypes.end(),
                       [&](const AtomicTypeName& each) { return each.definition == definition; });
}

inline constexpr std::uint32_t word_bytes(AtomicType type) { return type == AtomicType::int64 ? 8 : 4; }

/// A number as stored in a word of that type: modulo 2^64 or 2^32. Floating-point numbers stay
/// below 2^24.
inline constexpr std::uint64_t wrapped(AtomicType type, std::uint64_t number) {
  return type == AtomicType::int64 ? number : static_cast<std::uint32_t>(number);
}

/// The bits of a word with this number.
inline constexpr std::uint64_t bits_of(AtomicType type, std::uint64_t number) {
  return type == AtomicType::float32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number)) : wrapped(type, number);
}

/// The number in a word of these bits.
inline constexpr std::uint64_t number_of(AtomicType type, std::uint64_t bits) {
  return type == AtomicType::float32 ? static_cast<std::uint64_t>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) : bits;
}

}  // namespace percycle
