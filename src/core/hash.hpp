#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace percycle {

/// FNV-1a, 64 bit (Fowler, Noll, Vo; draft-eastlake-fnv). Names runs and fingerprints kernel
/// sources.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

/// Sixteen lower-case hexadecimal digits.
std::string hex64(std::uint64_t value);

}  // namespace percycle
