#include "platform/child.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "core/error.hpp"

namespace percycle {
namespace {

constexpr std::chrono::seconds kTimeToExit{2};
// Interval to check whether a child has ended: its driver may have left a process that keeps the
// pipe open.
constexpr std::chrono::milliseconds kLookAfterChild{100};
constexpr std::size_t kMostEventBytes = std::size_t{64} << 20;

std::string new_mark() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x} ", random(), random(), random(), random());
}

/// A child's end of its pipes.
class Channel {
 public:
  Channel() : requests_(move_to_high(kRequestStream)), events_(move_to_high(kEventStream)) { read_line(mark_); }

  bool read_line(std::string& line) {
    for (;;) {
      if (const auto end = buffer_.find('\n', seen_); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        seen_ = 0;
        return true;
      }
      seen_ = buffer_.size();
      std::array<char, 65536> bytes{};
      std::error_code ignored;
      const std::size_t count = requests_.read(bytes, ignored);
      if (count == 0) return false;
      buffer_.append(bytes.data(), count);
    }
  }

  /// The line begins after its own line end: a driver may have written part of a line.
  bool write_line(std::string_view line) const { return !events_.write(fmt::format("\n{}{}\n", mark_, line)); }

 private:
  File requests_;
  File events_;
  std::string mark_;
  std::string buffer_;
  std::size_t seen_ = 0;
};

Channel& channel() {
  static Channel instance;
  return instance;
}

Process start(const File& input, const File& events, const std::vector<std::string>& arguments, const Environment& environment) {
  std::vector<std::string> words{"worker"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  try {
    return Process({.program = this_program(),
                    .name = "percycle",
                    .arguments = std::move(words),
                    .environment = environment,
                    .input = &input,
                    .events = &events,
                    .own_group = true});
  } catch (const std::system_error& error) {
    throw RunError(fmt::format("cannot start a worker process from {}: {}", this_program().string(), error.code().message()));
  }
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const Environment& environment)
    : Child(make_pipe(), make_pipe(), arguments, environment) {}

Child::Child(Pipe input, Pipe events, const std::vector<std::string>& arguments, const Environment& environment)
    : input_(std::move(input.input)),
      events_(std::move(events.output)),
      process_(start(input.output, events.input, arguments, environment)),
      mark_(new_mark()) {
  send(mark_);
}

void Child::send(const std::string& line) { static_cast<void>(input_.write(line + '\n')); }

bool Child::take_line(std::string& line) {
  for (auto end = buffer_.find('\n', seen_); end != std::string::npos; end = buffer_.find('\n', seen_)) {
    const bool is_event = buffer_.starts_with(mark_) && end >= mark_.size();
    if (is_event) line = buffer_.substr(mark_.size(), end - mark_.size());
    buffer_.erase(0, end + 1);
    seen_ = 0;
    if (is_event) return true;
  }
  seen_ = buffer_.size();
  if (buffer_.size() > kMostEventBytes) {  // no event is this long
    buffer_.clear();
    seen_ = 0;
  }
  return false;
}

Child::Event Child::next(std::chrono::steady_clock::time_point deadline) {
  bool over = false;  // the child has ended and only its output is left
  for (std::size_t late = 0; late <= kMostEventBytes;) {
    std::string line;
    if (take_line(line)) return {Event::Occurrence::line, std::move(line)};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const File::Wait waited =
        events_.wait(over ? std::chrono::milliseconds(0) : std::clamp(left, std::chrono::milliseconds(0), kLookAfterChild));
    if (waited == File::Wait::interrupted) return {Event::Occurrence::timed_out, {}, true};
    if (waited == File::Wait::timed_out) {
      if (over) return {Event::Occurrence::ended, process_.wait().text()};
      if (left.count() <= 0) return {Event::Occurrence::timed_out, {}};
      over = process_.wait(std::chrono::milliseconds(0)).has_value();
      continue;
    }
    std::array<char, 65536> bytes{};
    std::error_code ignored;
    const std::size_t count = events_.read(bytes, ignored);
    if (count == 0) {
      // The time that a child gets that closed its events but lives on (a driver's thread that
      // hangs at exit).
      if (!process_.wait(kTimeToExit)) kill();
      return {Event::Occurrence::ended, process_.wait().text()};
    }
    buffer_.append(bytes.data(), count);
    // A driver's endless output does not move the deadline.
    if (left.count() <= 0) late += count;
  }
  return {Event::Occurrence::timed_out, {}};
}

void Child::end(std::chrono::steady_clock::time_point deadline) {
  input_.close();
  while (std::chrono::steady_clock::now() < deadline) {
    if (next(deadline).kind == Event::Occurrence::ended) return;
  }
  kill();
}

void open_channel() { channel(); }

bool read_request(std::string& line) { return channel().read_line(line); }

bool write_event(std::string_view line) { return channel().write_line(line); }

}  // namespace percycle
