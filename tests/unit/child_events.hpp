#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "platform/child.hpp"

/// For both ends of a Child.
namespace percycle::child_events {

/// For a loaded machine; normally nothing waits this long.
constexpr std::chrono::seconds kPatience{20};

inline void emit(const std::string& text) { static_cast<void>(write_event(text)); }

inline std::string read_line() {
  std::string line;
  return read_request(line) ? line : "";
}

[[noreturn]] inline void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

inline auto in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

inline std::string line_of(Child& child) {
  const auto event = child.next(in(kPatience));
  REQUIRE(event.kind == Child::Event::Occurrence::line);
  return event.text;
}

inline std::string end_of(Child& child) {
  const auto event = child.next(in(kPatience));
  REQUIRE(event.kind == Child::Event::Occurrence::ended);
  return event.text;
}

}  // namespace percycle::child_events
