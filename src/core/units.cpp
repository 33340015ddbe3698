#include "core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace percycle {

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 999.5 rounds to 1000 at three digits, so the next unit starts there.
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return fmt::format("{} {}", text, kUnits[unit]);
}

std::uint64_t parse_bytes(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 10> kSuffixes{{{"", 1},
                                                                                         {"B", 1},
                                                                                         {"K", kKiB},
                                                                                         {"KiB", kKiB},
                                                                                         {"M", kMiB},
                                                                                         {"MiB", kMiB},
                                                                                         {"G", kGiB},
                                                                                         {"GiB", kGiB},
                                                                                         {"k", kKiB},
                                                                                         {"m", kMiB}}};
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (error == std::errc{}) {
    for (const auto& [name, factor] : kSuffixes) {
      if (suffix == name && number <= std::numeric_limits<std::uint64_t>::max() / factor) return number * factor;
    }
  }
  throw UsageError(fmt::format("'{}' is not a size in bytes (examples: 4096, 48K, 512M, 1G)", text));
}

}  // namespace percycle
