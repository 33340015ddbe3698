#include "report/spoiling_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace percycle {

std::vector<SpoilingCheck> spoiling_checks(const Header& header) {
  constexpr std::size_t kDateLength = 10;
  const auto is_made_by_run = [&](const DeviceCheck& check) {
    return std::ranges::any_of(header.checks, [&](const DeviceCheck& own) { return own.made.empty() && own.name == check.name; });
  };
  std::vector<SpoilingCheck> spoiling;
  for (const DeviceCheck& check : header.checks) {
    if (check.verdict != CheckVerdict::doubtful) continue;
    if (check.made.empty())
      spoiling.push_back({check.name, check.text});
    else if (!is_made_by_run(check))
      spoiling.push_back({fmt::format("{} (doctor, {})", check.name, check.made.substr(0, kDateLength)), check.text});
  }
  return spoiling;
}

}  // namespace percycle
