#include "device/driver_answers.hpp"

#include <fmt/format.h>

#include "device/error.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kMostThings = 4096;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

}  // namespace

std::string cut_text(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::string note = fmt::format(" [cut: {} bytes in all]", text.size());
  std::size_t kept = most - note.size();
  while (kept > 0 && continues_character(text[kept])) --kept;
  return fmt::format("{}{}", text.substr(0, kept), note);
}

void check_given(Api api, bool is_given, const char* call, const char* what) {
  if (!is_given) throw DeviceError(api, DeviceError::Kind::other, call, {}, fmt::format("succeeded but gave no {}", what));
}

void check_count(Api api, const char* call, std::uint64_t count) {
  if (count > kMostThings)
    throw DeviceError(api, DeviceError::Kind::other, call, fmt::format("an impossible count of {}", count));
}

void check_size(Api api, const char* call, std::uint64_t bytes) {
  if (bytes > kMostBinaryBytes)
    throw DeviceError(api, DeviceError::Kind::other, call, fmt::format("an impossible size of {} bytes", bytes));
}

}  // namespace percycle
