#include "device/vulkan/driver_version.hpp"

#include <fmt/format.h>

#include <charconv>

namespace percycle::vulkan {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A digit, a dot, a digit: distinguishes "Mesa 22.3.6" from "Intel driver".
bool holds_version(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '.' && is_digit(text[i - 1]) && is_digit(text[i + 1])) return true;
  }
  return false;
}

}  // namespace

std::string decode_driver_version(VersionPacking packing, std::uint32_t version) {
  switch (packing) {
    case VersionPacking::nvidia: {
      const std::string text = fmt::format("{}.{:02}", version >> 22, (version >> 14) & 0xff);
      const std::uint32_t third = (version >> 6) & 0xff;
      const std::uint32_t fourth = version & 0x3f;
      if (fourth != 0) return fmt::format("{}.{:02}.{:02}", text, third, fourth);
      // Releases are named "390.157" or "580.159.04".
      return third != 0 ? fmt::format("{}.{:02}", text, third) : text;
    }
    case VersionPacking::intel_windows:
      return fmt::format("{}.{}", version >> 14, version & 0x3fff);
    case VersionPacking::vulkan:
      break;
  }
  return fmt::format("{}.{}.{}", version >> 22, (version >> 12) & 0x3ff, version & 0xfff);
}

std::string driver_text(std::string_view driver_info, VersionPacking packing, std::uint32_t version) {
  return holds_version(driver_info) ? std::string(driver_info) : decode_driver_version(packing, version);
}

std::optional<std::uint32_t> mesa_major(std::string_view driver_info) {
  static constexpr std::string_view kPrefix = "Mesa ";
  const std::size_t at = driver_info.find(kPrefix);
  if (at == std::string_view::npos) return std::nullopt;
  const char* const begin = driver_info.data() + at + kPrefix.size();
  std::uint32_t major = 0;
  const auto [end, error] = std::from_chars(begin, driver_info.data() + driver_info.size(), major);
  if (error != std::errc{}) return std::nullopt;
  return major;
}

}  // namespace percycle::vulkan
