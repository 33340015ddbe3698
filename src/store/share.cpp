#include "store/share.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "store/record_json.hpp"
#include "store/secrets.hpp"

namespace percycle {
namespace {

/// Members with percycle's own words only, without text from a driver or a tool.
constexpr std::array<std::string_view, 18> kOwnWords{
    "kind",   "source", "id",         "header", "created", "tool",  "experiment",  "experiments",    "parameters",
    "preset", "status", "provenance", "api",    "type",    "space", "time_source", "global_atomics", "local_atomics"};

/// Members that name a model of a card: a host of that name does not hide it.
constexpr std::array<std::string_view, 3> kModelNames{"name", "vendor", "unit_name"};

template <std::size_t kSize>
bool holds(const std::array<std::string_view, kSize>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Clean = std::function<std::string(const std::string& text, bool is_model)>;

void clean_texts(nlohmann::json& json, const Clean& clean, bool is_model = false) {
  if (json.is_string()) {
    json = clean(json.get_ref<const std::string&>(), is_model);
  } else if (json.is_array()) {
    for (nlohmann::json& each : json) clean_texts(each, clean);
  } else if (json.is_object()) {
    for (auto& [name, value] : json.items()) {
      if (!holds(kOwnWords, name)) clean_texts(value, clean, holds(kModelNames, name));
    }
  }
}

}  // namespace

std::string Sharer::identity(const Header& header) {
  for (const char* kind : {"uuid:", "pci:"}) {
    if (header.identity.starts_with(kind)) return identities_.emplace(header.identity, "shared:" + header.id).first->second;
  }
  return header.identity;
}

Record Sharer::share(const Record& record) {
  Record clean = record;
  if (auto* header = std::get_if<Header>(&clean)) {
    header->identity = identity(*header);
    DeviceInfo& device = header->device;
    device.uuid.reset();
    device.pci.reset();
    device.driver_manifest.clear();
    for (PeerDevice& peer : device.peers) peer.pci.reset();
    if (!device.model.empty()) device.model = std::filesystem::path(device.model).filename().string();
  }
  nlohmann::json json = to_json(clean);
  clean_texts(json, [this](const std::string& text, bool is_model) {
    const auto [place, is_new] = clean_.try_emplace({text, is_model});
    if (is_new) place->second = without_secrets(text, is_model ? std::vector<std::string>() : names_);
    return place->second;
  });
  return from_json<Record>(json);
}

}  // namespace percycle
