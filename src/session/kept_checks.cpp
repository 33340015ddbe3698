#include "session/kept_checks.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "json/parse.hpp"
#include "platform/host.hpp"
#include "platform/user_cache.hpp"
#include "session/messages.hpp"

namespace percycle {
namespace {

UserCache cache() { return UserCache(user_cache_folder(kDoctorFolder)); }

/// A home may be of several hosts.
std::string key_of(const DeviceInfo& device, const std::string& identity) {
  return fmt::format("{} {} {} {} {} {} {} {}", host_name(), host_cpu_name(), operating_system(), to_string(device.api), identity,
                     device.name, device.platform, device.driver);
}

}  // namespace

void keep_checks(const DeviceInfo& device, const std::string& identity, const std::vector<DeviceCheck>& checks) {
  if (device.api == Api::sim) return;
  DeviceChecks kept;
  kept.checks = checks;
  // A name from a driver may not be UTF-8.
  cache().keep(key_of(device, identity), to_json(kept).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::vector<DeviceCheck> kept_checks(const DeviceInfo& device, const std::string& identity) {
  if (device.api == Api::sim) return {};
  const auto text = cache().find(key_of(device, identity));
  if (!text) return {};
  try {
    return from_json<DeviceChecks>(parse_json(*text)).checks;
  } catch (const std::invalid_argument&) {
    return {};  // of another version
  }
}

}  // namespace percycle
