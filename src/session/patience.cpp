#include "session/patience.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.hpp"
#include "platform/environment.hpp"

namespace percycle {
namespace {

constexpr const char* kVariable = "PERCYCLE_PATIENCE";

}  // namespace

Patience driver_patience() {
  const auto text = environment_variable(kVariable);
  if (!text || text->empty()) return {};
  double seconds = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  const bool number = error == std::errc{} && end == text->data() + text->size();
  if (!number || !(seconds >= 0.1 && seconds <= 86400))
    throw UsageError(fmt::format("{}={}: a number of seconds from 0.1 to 86400 is expected", kVariable, *text));
  const std::chrono::milliseconds time(static_cast<std::chrono::milliseconds::rep>(seconds * 1000));
  return {time, time, time, std::min(time, Patience().telemetry)};
}

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
}

}  // namespace percycle
