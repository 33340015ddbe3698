#include "report/unit_ranges.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace percycle {

std::string unit_ranges(const std::vector<std::uint32_t>& units) {
  std::string text;
  for (std::size_t i = 0; i < units.size();) {
    std::size_t end = i;
    while (end + 1 < units.size() && units[end + 1] == units[end] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", units[i]);
    if (end > i) text += fmt::format("-{}", units[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace percycle
