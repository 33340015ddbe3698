#include "session/implicit_layers.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/error.hpp"
#include "json/parse.hpp"
#include "platform/driver_places.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"

namespace percycle {
namespace {

constexpr const char* kDisabled = "VK_LOADER_LAYERS_DISABLE";  // a loader of 2023 or later knows it

std::string setting(const char* name) { return environment_variable(name).value_or(""); }

/// The variables of "disable_environment" or "enable_environment".
Environment variables(const nlohmann::json& layer, const char* member) {
  Environment found;
  const nlohmann::json listed = layer.value(member, nlohmann::json::object());
  for (const auto& [name, value] : listed.items()) found.emplace_back(name, value.get<std::string>());
  return found;
}

bool is_on(const nlohmann::json& layer) {
  const auto is_set = [](const auto& each) { return !setting(each.first.c_str()).empty(); };
  const auto is_as_wanted = [](const auto& each) { return setting(each.first.c_str()) == each.second; };
  return std::ranges::none_of(variables(layer, "disable_environment"), is_set) &&
         std::ranges::all_of(variables(layer, "enable_environment"), is_as_wanted);
}

std::vector<std::filesystem::path> layer_folders() {
  auto folders = split_paths(setting("VK_ADD_IMPLICIT_LAYER_PATH"));
  const auto own = split_paths(setting("VK_IMPLICIT_LAYER_PATH"));
  folders.insert(folders.end(), own.begin(), own.end());
  if (!own.empty()) return folders;
  for (const auto& root : vulkan_driver_folders()) folders.push_back(root / "vulkan/implicit_layer.d");
  return folders;
}

}  // namespace

std::vector<ImplicitLayer> layers_of(const std::string& manifest, std::string_view text) {
  std::vector<ImplicitLayer> found;
  const auto add = [&](const nlohmann::json& layer) {
    if (is_on(layer)) found.push_back({layer.at("name").get<std::string>(), manifest, variables(layer, "disable_environment")});
  };
  try {
    const nlohmann::json parsed = parse_json(text);
    if (parsed.contains("layer")) add(parsed["layer"]);
    const nlohmann::json several = parsed.value("layers", nlohmann::json::array());
    for (const auto& layer : several) add(layer);
  } catch (const std::exception&) {  // of another shape: the loader ignores it, too
    return {};
  }
  return found;
}

std::vector<ImplicitLayer> implicit_layers() {
  std::vector<ImplicitLayer> all;
  for (const auto& folder : layer_folders()) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() != ".json") continue;
      try {
        std::ranges::move(layers_of(entry.path().string(), read_small_file(entry.path())), std::back_inserter(all));
      } catch (const UsageError&) {
        continue;  // the loader cannot read it either
      }
    }
  }
  std::ranges::sort(all, {}, &ImplicitLayer::manifest);
  return all;
}

Environment without(std::span<const ImplicitLayer> layers) {
  Environment environment;
  std::string disabled = setting(kDisabled);
  for (const ImplicitLayer& layer : layers) {
    environment.insert(environment.end(), layer.off.begin(), layer.off.end());
    disabled += (disabled.empty() ? "" : ",") + layer.name;
  }
  if (!layers.empty()) environment.emplace_back(kDisabled, disabled);
  return environment;
}

}  // namespace percycle
