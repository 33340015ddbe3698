#include "device/error.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/driver_answers.hpp"

namespace percycle {

DeviceError::DeviceError(Api api, Kind kind, std::string call, std::string code, std::string log)
    : std::runtime_error(fmt::format("{}: {} returned {}{}{}", to_string(api), call, code, log.empty() ? "" : ": ",
                                     cut_text(log, kMostLogBytes))),
      api(api),
      kind(kind),
      call(std::move(call)),
      code(std::move(code)),
      log(cut_text(log, kMostLogBytes)) {}

}  // namespace percycle
