#include "session/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/printable.hpp"

namespace percycle {
namespace {

constexpr std::size_t kWideBar = 24;
constexpr std::size_t kNarrowBar = 8;
constexpr std::size_t kLongestDevice = 40;
constexpr double kFewSeconds = 10;
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kPlain = "\033[0m";

std::string cut(const std::string& text, std::size_t length) {
  constexpr std::string_view kDots = "...";
  if (text.size() <= length) return text;
  return length <= kDots.size() ? text.substr(0, length) : text.substr(0, length - kDots.size()) + std::string(kDots);
}

std::string bar(double share, std::size_t width, bool colour) {
  const auto done = static_cast<std::size_t>(std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(width)));
  const std::string full(done, '#');
  return fmt::format("[{}{}{}{}]", colour ? kGreen : "", full, colour ? kPlain : "", std::string(width - done, '.'));
}

}  // namespace

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::floor(std::max(seconds, 0.0)));
  constexpr long long kMinute = 60;
  constexpr long long kHour = 60 * kMinute;
  if (whole >= kHour) return fmt::format("{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute, whole % kMinute);
  return fmt::format("{}:{:02}", whole / kMinute, whole % kMinute);
}

std::string remaining_text(const std::optional<double>& seconds) {
  if (!seconds) return "";
  return *seconds < kFewSeconds ? "<10 s left" : fmt::format("{} left", clock_text(*seconds));
}

std::string progress_line(const ProgressState& state, std::size_t columns, bool colour) {
  std::string device = cut(printable(state.device), kLongestDevice);
  std::string step = printable(state.step);
  const std::string left = remaining_text(state.remaining_s);
  const std::string time = clock_text(state.elapsed_s) + (left.empty() ? "" : ", " + left);
  const std::string percent = fmt::format("{:3.0f} %", std::floor(100 * std::clamp(state.share, 0.0, 1.0)));

  constexpr std::size_t kBetween = 7;  // blanks between the five parts, and the brackets
  const std::size_t fixed = percent.size() + time.size() + kBetween + 1;
  const auto room = [&] {
    const std::size_t used = fixed + device.size() + step.size();
    return columns > used ? columns - used : 0;
  };
  if (room() < kNarrowBar) {
    const std::size_t names = columns > fixed + kNarrowBar ? columns - fixed - kNarrowBar : 0;
    step = cut(step, std::max(names / 2, names - std::min(names, device.size())));
    device = cut(device, names - std::min(names, step.size()));
  }
  const std::size_t width = std::min(kWideBar, room());
  std::string line = fmt::format("{} {} {}  {}  {}", device, bar(state.share, width, colour), percent, step, time);
  return colour || line.size() <= columns ? line : line.substr(0, columns);
}

}  // namespace percycle
