#include "session/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/printable.hpp"

namespace percycle {
namespace {

constexpr std::size_t kLiveWidth = 110;
constexpr auto kPlainInterval = std::chrono::seconds(5);

/// A run goes on if its progress cannot be shown.
void write_error(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

std::string left_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

void Progress::device(const std::string& name) {
  device_ = name;
  first_ = true;
}

void Progress::point(const std::string& text, std::size_t done, std::size_t planned) {
  if (style_ == ProgressStyle::none) return;
  const auto now = Clock::now();
  if (first_) {
    begin_ = now;
    first_done_ = done;
  }
  std::string left;
  if (done > first_done_) {
    const double spent = std::chrono::duration<double>(now - begin_).count();
    left =
        ", about " + left_text(spent / static_cast<double>(done - first_done_) * static_cast<double>(planned - done)) + " left";
  }
  if (style_ == ProgressStyle::live || first_ || now - last_line_ >= kPlainInterval)
    print(fmt::format("{}: {}/{}{}: {}", device_, done + 1, planned, left, text));
  first_ = false;
}

void Progress::step(const std::string& text) {
  if (style_ == ProgressStyle::none) return;
  if (style_ == ProgressStyle::live || Clock::now() - last_line_ >= kPlainInterval) print(fmt::format("{}: {}", device_, text));
}

void Progress::print(const std::string& line) {
  if (style_ == ProgressStyle::live) {
    write_error("\r\033[K" + printable(line, kLiveWidth));
    live_line_ = true;
  } else {
    write_error(printable(line) + '\n');
    last_line_ = Clock::now();
  }
}

void Progress::clear() {
  if (live_line_) {
    write_error("\r\033[K");
    std::fflush(stderr);
  }
  live_line_ = false;
}

}  // namespace percycle
