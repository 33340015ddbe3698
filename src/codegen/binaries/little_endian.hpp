#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace percycle {

/// The little-endian number of `width` bytes (8 at most) at `offset`; empty beyond the end.
inline std::optional<std::uint64_t> number_at(std::string_view bytes, std::uint64_t offset, std::size_t width) {
  if (offset > bytes.size() || bytes.size() - offset < width) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i) number |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  return number;
}

}  // namespace percycle
