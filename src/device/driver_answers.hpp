#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/api.hpp"

namespace percycle {

// Bounds on what a driver says: a broken one gives texts of megabytes and counts of billions.

/// Bytes that are kept of the name of a device, a platform or a driver.
inline constexpr std::size_t kMostNameBytes = 200;
/// Bytes that are kept of a build log: its first errors, which the later ones follow from.
inline constexpr std::size_t kMostLogBytes = 4000;
/// Bytes beyond which a text of a device or a platform counts as not given.
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;
/// Bytes beyond which a build log or a program binary is not fetched.
inline constexpr std::size_t kMostBinaryBytes = std::size_t{256} << 20;

/// The text where it has at most `most` bytes; else its beginning and a note of its whole length, `most` bytes together at most. Does not cut
/// inside of a UTF-8 character. `most` must have room for the note (50 bytes).
std::string cut_text(std::string_view text, std::size_t most);

/// The text in a field of fixed size, which a broken driver may not have ended with a null character; cut to kMostNameBytes.
template <std::size_t size>
std::string field_text(const char (&field)[size]) {
  return cut_text({field, strnlen(field, size)}, kMostNameBytes);
}

/// Throws DeviceError where `call` said that there are more of something than any machine has (4096).
void check_count(Api api, const char* call, std::uint64_t count);

/// Throws DeviceError where `call` said that something has more than kMostBinaryBytes.
void check_size(Api api, const char* call, std::uint64_t bytes);

}  // namespace percycle
