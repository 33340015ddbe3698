#include "device/error.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/driver_answers.hpp"

namespace percycle {
namespace {

/// The text for a user. A lacking feature is no failed call: its reason is enough.
std::string message_of(Api api, DeviceError::Kind kind, const std::string& call, const std::string& code,
                       const std::string& log) {
  if (kind == DeviceError::Kind::unsupported && !log.empty()) return log;
  if (code.empty()) return fmt::format("{}: {} {}", to_string(api), call, log);
  return fmt::format("{}: {} returned {}{}{}", to_string(api), call, code, log.empty() ? "" : ": ", log);
}

}  // namespace

DeviceError::DeviceError(Api api, Kind kind, std::string call, std::string code, std::string log)
    : std::runtime_error(message_of(api, kind, call, code, cut_text(log, kMostLogBytes))),
      api(api),
      kind(kind),
      call(std::move(call)),
      code(std::move(code)),
      log(cut_text(log, kMostLogBytes)) {}

}  // namespace percycle
