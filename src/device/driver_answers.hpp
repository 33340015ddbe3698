#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/api.hpp"

namespace percycle {

// Bounds on a driver's answers: a broken driver gives texts of megabytes and counts of billions.

/// Bytes kept of the name of a device, a platform or a driver.
inline constexpr std::size_t kMostNameBytes = 200;
/// Bytes kept of a build log: its first errors cause the later ones.
inline constexpr std::size_t kMostLogBytes = 4000;
/// Bytes beyond which a text of a device or a platform counts as missing.
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;
/// Bytes beyond which a build log or a program binary is not fetched.
inline constexpr std::size_t kMostBinaryBytes = std::size_t{256} << 20;

/// Why a device of such a limit runs nothing.
inline constexpr const char* kNoGroups = "the driver states 0 work-items as its largest work-group";

/// The text if it has at most `most` bytes; else its beginning and a note of its length, together
/// at most `most` bytes. Cuts between UTF-8 characters. `most` must have room for the note (50
/// bytes).
std::string cut_text(std::string_view text, std::size_t most);

/// The text in a field of fixed size, cut to kMostNameBytes. A broken driver may omit its null
/// character.
template <std::size_t size>
std::string field_text(const char (&field)[size]) {
  return cut_text({field, strnlen(field, size)}, kMostNameBytes);
}

/// Throws DeviceError unless `call`, which succeeded, has given its object; `what` names it.
void check_given(Api api, bool is_given, const char* call, const char* what);

/// Throws DeviceError if `call` reported more items than any machine has (4096).
void check_count(Api api, const char* call, std::uint64_t count);

/// Throws DeviceError if `call` reported a size above kMostBinaryBytes.
void check_size(Api api, const char* call, std::uint64_t bytes);

}  // namespace percycle
