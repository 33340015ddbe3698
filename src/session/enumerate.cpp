#include "session/enumerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>

#include "json/parse.hpp"
#include "limits/agreed_units.hpp"
#include "limits/limits.hpp"
#include "platform/host.hpp"
#include "session/manifests.hpp"
#include "session/patience.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using Clock = std::chrono::steady_clock;

/// The devices that one child found, and its failure if it did not finish.
struct ChildDevices {
  Enumeration enumeration;
  std::optional<std::string> failure;
};

/// Queries the drivers of one manifest, or all for an empty one, in a child with its own deadline.
ChildDevices ask(Api api, const std::string& manifest, std::chrono::milliseconds patience) {
  ChildDevices found;
  Child child({"enumerate", std::string(to_string(api))}, only_driver(api, manifest));
  auto deadline = Clock::now() + patience;
  enum class Stage { devices, libraries, telemetry } stage = Stage::devices;
  for (;;) {
    const auto event = child.next(deadline);
    if (event.kind == Child::Event::Occurrence::timed_out && event.interrupted) continue;
    if (stage != Stage::devices && event.kind != Child::Event::Occurrence::line) {
      if (stage == Stage::telemetry)
        found.enumeration.problems.push_back({api, "telemetry", "its library crashed or hung; percycle goes on without it"});
      return found;
    }
    if (event.kind == Child::Event::Occurrence::timed_out) {
      found.failure = fmt::format("no answer within {}", seconds_text(patience));
      return found;
    }
    if (event.kind == Child::Event::Occurrence::ended) {
      found.failure = fmt::format("crashed ({})", event.text);
      return found;
    }
    try {
      const nlohmann::json line = parse_json(event.text);
      if (line.contains("end")) return found;
      if (line.contains("libraries") || line.contains("telemetry")) {
        stage = line.contains("libraries") ? Stage::libraries : Stage::telemetry;
        deadline = std::min(deadline, Clock::now() + driver_patience().telemetry);
      }
      if (line.contains("compute_capability")) {
        for (DeviceInfo& device : found.enumeration.devices) {
          if (device.index == line["index"]) device.compute_capability = line["compute_capability"].get<std::string>();
        }
      }
      if (line.contains("device")) found.enumeration.devices.push_back(from_json<DeviceInfo>(line["device"]));
      if (line.contains("problem")) found.enumeration.problems.push_back(from_json<EnumerationProblem>(line["problem"]));
    } catch (const std::invalid_argument& damaged) {
      found.failure = fmt::format("its answer was damaged: {}", damaged.what());
      return found;
    }
  }
}

/// Queries all drivers at once, each in its own child. Device indices count over all of them.
Enumeration driver_by_driver(Api api, const std::vector<std::string>& manifests, std::chrono::milliseconds patience) {
  std::vector<std::future<ChildDevices>> answers;
  for (const auto& manifest : manifests)
    answers.push_back(std::async(std::launch::async, [=] { return ask(api, manifest, patience); }));
  Enumeration all;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ChildDevices found = answers[i].get();
    if (found.failure) all.problems.push_back({api, manifests[i], *found.failure});
    for (auto& device : found.enumeration.devices) {
      device.driver_manifest = manifests[i];
      renumber(device, static_cast<std::uint32_t>(all.devices.size()));
      all.devices.push_back(std::move(device));
    }
    for (auto& problem : found.enumeration.problems) {
      if (problem.where == "loader") problem.where = manifests[i];
      all.problems.push_back(std::move(problem));
    }
  }
  return all;
}

Enumeration enumerate(Api api, std::chrono::milliseconds patience) {
  ChildDevices found = ask(api, "", patience);
  Enumeration& all = found.enumeration;
  // A loader that a broken driver or manifest breaks hides the devices of all drivers.
  const bool hides = all.devices.empty() && !all.problems.empty();
  if (!found.failure && !hides) return std::move(all);
  const auto manifests = driver_manifests(api);
  if (manifests.size() > 1) {
    Enumeration alone = driver_by_driver(api, manifests, patience);
    if (found.failure || !alone.devices.empty()) return alone;
  }
  if (found.failure) all.problems.push_back({api, manifests.size() == 1 ? manifests.front() : "loader", *found.failure});
  return std::move(all);
}

}  // namespace

std::optional<DeviceInfo> with_its_driver_alone(const DeviceInfo& device) {
  if (device.api == Api::sim || !device.driver_manifest.empty()) return std::nullopt;
  const auto manifests = driver_manifests(device.api);
  if (manifests.size() < 2) return std::nullopt;
  std::vector<DeviceInfo> found = driver_by_driver(device.api, manifests, driver_patience().enumeration).devices;
  std::erase_if(found, [&](const DeviceInfo& other) {
    return other.name != device.name || other.platform != device.platform || other.driver != device.driver ||
           other.uuid != device.uuid || other.pci != device.pci;
  });
  if (found.size() != 1) return std::nullopt;
  renumber(found.front(), device.index);
  return found.front();
}

Environment only_driver(Api api, const std::string& manifest) {
  if (manifest.empty()) return {};
  if (api == Api::opencl) return {{"OCL_ICD_VENDORS", manifest}};
  return {{"VK_DRIVER_FILES", manifest}, {"VK_ICD_FILENAMES", manifest}};
}

Enumeration enumerate_all() {
  const auto patience = driver_patience().enumeration;
  auto opencl = std::async(std::launch::async, [=] { return enumerate(Api::opencl, patience); });
  Enumeration more = enumerate(Api::vulkan, patience);
  Enumeration all = opencl.get();
  all.devices.insert(all.devices.end(), more.devices.begin(), more.devices.end());
  all.problems.insert(all.problems.end(), more.problems.begin(), more.problems.end());
  for (auto& [api, card, text] : agree_on_units(all.devices, host_cpu_name(), limits_catalogue()))
    all.problems.push_back({api, std::move(card), std::move(text)});
  return all;
}

}  // namespace percycle
