#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace percycle {

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;
inline constexpr std::uint64_t kGiB = 1024 * kMiB;

/// "48 KiB", "1.19 MiB", "960 B": binary units, at most three significant digits.
std::string format_bytes(std::uint64_t bytes);

/// "48K", "1M", "2GiB" or "512" in bytes. Throws UsageError naming the text if it is none of these.
std::uint64_t parse_bytes(std::string_view text);

}  // namespace percycle
