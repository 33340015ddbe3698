#include "platform/child.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/error.hpp"

namespace percycle {
namespace {

constexpr std::chrono::seconds kTimeToExit{2};

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
    throw RunError(fmt::format("cannot start a worker process: {}", error.code().message()));
  }
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const Environment& environment)
    : Child(make_pipe(), make_pipe(), arguments, environment) {}

Child::Child(Pipe input, Pipe events, const std::vector<std::string>& arguments, const Environment& environment)
    : input_(std::move(input.input)),
      events_(std::move(events.output)),
      process_(start(input.output, events.input, arguments, environment)) {}

void Child::send(const std::string& line) { static_cast<void>(input_.write(line + '\n')); }

Child::Event Child::next(std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return {Event::Kind::line, std::move(line)};
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return {Event::Kind::timed_out, {}};
    const File::Wait waited = events_.wait(left);
    if (waited == File::Wait::interrupted) return {Event::Kind::timed_out, {}, true};
    if (waited == File::Wait::timed_out) continue;
    std::array<char, 65536> bytes{};
    std::error_code ignored;
    const std::size_t count = events_.read(bytes, ignored);
    if (count == 0) {
      // A child that closed its events but lives on (a driver's thread that hangs at exit) gets no more than this.
      if (!process_.wait(kTimeToExit)) kill();
      return {Event::Kind::ended, process_.wait().text()};
    }
    buffer_.append(bytes.data(), count);
  }
}

bool write_event(std::string_view bytes) {
  static const File events(kEventStream);
  return !events.write(bytes);
}

}  // namespace percycle
