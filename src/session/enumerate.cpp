#include "session/enumerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "json/parse.hpp"
#include "limits/agreed_units.hpp"
#include "limits/limits.hpp"
#include "platform/environment.hpp"
#include "platform/host.hpp"
#include "session/layer_faults.hpp"
#include "session/manifests.hpp"
#include "session/patience.hpp"
#include "session/visibility_masks.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

using Clock = std::chrono::steady_clock;

/// The devices that one child found, and its failure if it did not finish.
struct ChildDevices {
  Enumeration enumeration;
  std::optional<std::string> failure;
};

/// Adds the facts of a line that a telemetry library knows.
void complete(std::vector<DeviceInfo>& devices, const nlohmann::json& line) {
  for (DeviceInfo& device : devices) {
    if (device.index != line["index"]) continue;
    if (line.contains("compute_capability")) device.compute_capability = line["compute_capability"].get<std::string>();
    if (line.contains("part")) device.part = line["part"].get<std::string>();
  }
}

/// Queries the drivers of one manifest, or all for an empty one, in a child with its own deadline
/// and `changes` of the environment.
ChildDevices ask(Api api, const std::string& manifest, std::chrono::milliseconds patience, const Environment& changes = {}) {
  ChildDevices found;
  Child child({"enumerate", std::string(to_string(api))}, only_driver(api, manifest, changes));
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
      if (line.contains("index")) complete(found.enumeration.devices, line);
      if (line.contains("device")) found.enumeration.devices.push_back(from_json<DeviceInfo>(line["device"]));
      if (line.contains("problem")) found.enumeration.problems.push_back(from_json<EnumerationProblem>(line["problem"]));
    } catch (const std::invalid_argument& damaged) {
      found.failure = fmt::format("its answer was damaged: {}", damaged.what());
      return found;
    }
  }
}

/// Queries all drivers at once, each in its own child. Device indices count over all of them.
Enumeration driver_by_driver(Api api, const std::vector<std::string>& manifests, std::chrono::milliseconds patience,
                             const Environment& changes = {}) {
  std::vector<std::future<ChildDevices>> answers;
  for (const auto& manifest : manifests)
    answers.push_back(std::async(std::launch::async, [=] { return ask(api, manifest, patience, changes); }));
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

/// Why Vulkan's drivers, or only that of `manifest`, show no device with these changes of the
/// environment; empty if they show some.
std::optional<std::string> vulkan_fault(const std::string& manifest, std::chrono::milliseconds patience,
                                        const Environment& changes) {
  const ChildDevices found = ask(Api::vulkan, manifest, patience, changes);
  if (found.failure) return found.failure;
  if (!found.enumeration.devices.empty()) return std::nullopt;
  for (const auto& problem : found.enumeration.problems) {
    if (problem.where == "loader") return problem.message;
  }
  return "no device is left";
}

/// Vulkan's devices by `enumerate`, which fails with all implicit layers, without the layers to
/// blame. Empty if there is no such layer. `lasting` gets the environment without them.
/// `sound` is the manifest of a driver that shows devices without layers; empty: all do.
std::optional<Enumeration> without_faulty_layers(const std::vector<ImplicitLayer>& layers, const std::string& sound,
                                                 std::chrono::milliseconds patience,
                                                 const std::function<Enumeration(const Environment&)>& enumerate,
                                                 Environment& lasting) {
  const LayerFaults faults =
      faulty_layers(layers, [&](const Environment& changes) { return vulkan_fault(sound, patience, changes); });
  Environment environment = without(faults.layers);
  Enumeration found = enumerate(environment);
  if (found.devices.empty()) return std::nullopt;
  std::ranges::copy(faults.problems, std::back_inserter(found.problems));
  lasting = std::move(environment);
  return found;
}

/// The devices of an API. `lasting` gets changes of the environment that percycle's later workers
/// need.
Enumeration enumerate(Api api, std::chrono::milliseconds patience, Environment& lasting) {
  ChildDevices found = ask(api, "", patience);
  Enumeration& all = found.enumeration;
  if (!found.failure && !all.devices.empty()) return std::move(all);
  // A loader that a broken driver, manifest or layer breaks hides the devices of all drivers.
  const auto layers = api == Api::vulkan ? implicit_layers() : std::vector<ImplicitLayer>{};
  if (!found.failure && all.problems.empty() && layers.empty()) return std::move(all);
  std::future<std::optional<std::string>> bare;  // beside the drivers: some hang
  if (!layers.empty()) bare = std::async(std::launch::async, [&] { return vulkan_fault("", patience, without(layers)); });
  const auto manifests = driver_manifests(api);
  const bool has_others = manifests.size() > 1;
  Enumeration alone = has_others ? driver_by_driver(api, manifests, patience) : Enumeration{};
  if (bare.valid() && !bare.get()) {
    const auto again = [&](const Environment& changes) { return ask(api, "", patience, changes).enumeration; };
    if (auto rest = without_faulty_layers(layers, "", patience, again, lasting)) return *std::move(rest);
  }
  if (!alone.devices.empty()) return alone;
  if (has_others && !layers.empty()) {
    const auto each = [&](const Environment& changes) { return driver_by_driver(api, manifests, patience, changes); };
    const Enumeration without_all = each(without(layers));
    if (!without_all.devices.empty()) {
      const std::string& sound = without_all.devices.front().driver_manifest;
      if (auto rest = without_faulty_layers(layers, sound, patience, each, lasting)) return *std::move(rest);
    }
  }
  if (has_others && found.failure) return alone;
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

Environment only_driver(Api api, const std::string& manifest, const Environment& changes) {
  Environment environment;
  if (!manifest.empty() && api == Api::opencl) environment = {{"OCL_ICD_VENDORS", manifest}};
  if (!manifest.empty() && api != Api::opencl) environment = {{"VK_DRIVER_FILES", manifest}, {"VK_ICD_FILENAMES", manifest}};
  environment.insert(environment.end(), changes.begin(), changes.end());
  return environment;
}

Enumeration enumerate_all() {
  const auto patience = driver_patience().enumeration;
  auto opencl = std::async(std::launch::async, [=] {
    Environment unchanged;
    return enumerate(Api::opencl, patience, unchanged);
  });
  Environment lasting;
  Enumeration more = enumerate(Api::vulkan, patience, lasting);
  Enumeration all = opencl.get();
  for (const auto& [name, value] : lasting) set_environment_variable(name.c_str(), value);
  all.devices.insert(all.devices.end(), more.devices.begin(), more.devices.end());
  all.problems.insert(all.problems.end(), more.problems.begin(), more.problems.end());
  for (auto& [api, card, text] : agree_on_units(all.devices, host_cpu_name(), limits_catalogue()))
    all.problems.push_back({api, std::move(card), std::move(text)});
  std::ranges::move(masked_cards(all.devices, visibility_masks(), host_cpu_name()), std::back_inserter(all.problems));
  return all;
}

}  // namespace percycle
