#include "session/enumerate.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "json/parse.hpp"
#include "session/manifests.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(30);  // a cold NVIDIA driver has needed several seconds

/// What one child found, and how it failed if it did not come to its end.
struct Found {
  Enumeration enumeration;
  std::optional<std::string> failure;
};

Found collect(Child child, Clock::time_point deadline) {
  Found found;
  for (;;) {
    const auto event = child.next(deadline);
    if (event.kind == Child::Event::Kind::timed_out) {
      if (event.interrupted) continue;
      found.failure = fmt::format("no answer within {} s", kPatience.count());
      return found;
    }
    if (event.kind == Child::Event::Kind::ended) {
      found.failure = fmt::format("crashed ({})", event.text);
      return found;
    }
    const nlohmann::json line = parse_json(event.text);
    if (line.contains("end")) return found;
    if (line.contains("device")) found.enumeration.devices.push_back(from_json<DeviceInfo>(line["device"]));
    if (line.contains("problem")) found.enumeration.problems.push_back(from_json<EnumerationProblem>(line["problem"]));
  }
}

/// Asks each driver alone; the index of a device then counts over all of them.
Enumeration driver_by_driver(Api api, const std::vector<std::string>& manifests) {
  Enumeration all;
  for (const auto& manifest : manifests) {
    Found found =
        collect(Child({"enumerate", std::string(to_string(api))}, only_driver(api, manifest)), Clock::now() + kPatience);
    if (found.failure) all.problems.push_back({api, manifest, *found.failure});
    for (auto& device : found.enumeration.devices) {
      device.driver_manifest = manifest;
      device.index = static_cast<std::uint32_t>(all.devices.size());
      all.devices.push_back(std::move(device));
    }
    for (auto& problem : found.enumeration.problems) all.problems.push_back(std::move(problem));
  }
  return all;
}

Enumeration finish(Child child, Api api, Clock::time_point deadline) {
  Found found = collect(std::move(child), deadline);
  if (!found.failure) return std::move(found.enumeration);
  const auto manifests = driver_manifests(api);
  if (manifests.size() > 1) return driver_by_driver(api, manifests);
  found.enumeration.problems.push_back({api, manifests.empty() ? "loader" : manifests.front(), *found.failure});
  return std::move(found.enumeration);
}

}  // namespace

Environment only_driver(Api api, const std::string& manifest) {
  if (manifest.empty()) return {};
  if (api == Api::opencl) return {{"OCL_ICD_VENDORS", manifest}};
  return {{"VK_DRIVER_FILES", manifest}, {"VK_ICD_FILENAMES", manifest}};
}

Enumeration enumerate_all() {
  Child opencl({"enumerate", "opencl"});
  Child vulkan({"enumerate", "vulkan"});
  const auto deadline = Clock::now() + kPatience;
  Enumeration all = finish(std::move(opencl), Api::opencl, deadline);
  Enumeration more = finish(std::move(vulkan), Api::vulkan, deadline);
  all.devices.insert(all.devices.end(), more.devices.begin(), more.devices.end());
  all.problems.insert(all.problems.end(), more.problems.begin(), more.problems.end());
  return all;
}

}  // namespace percycle
