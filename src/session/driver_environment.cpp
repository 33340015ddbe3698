#include "session/driver_environment.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/wgp_mode.hpp"
#include "platform/environment.hpp"

namespace percycle {

void export_wgp_mode(const std::map<std::string, std::string>& set) {
  for (const auto& [key, value] : set) {
    if (key.ends_with(".wgp_mode")) throw UsageError(fmt::format("--set {}={}: wgp_mode holds for a whole run", key, value));
    if (key == "wgp_mode" && value != "auto") set_environment_variable(kWgpModeVariable, value == "cu" ? "0" : "1");
  }
}

}  // namespace percycle
