#include "store/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>

#include "store/known_text.hpp"
#include "store/record_json.hpp"
#include "vocabulary/l2_map.hpp"

namespace percycle {
namespace {

/// Members with percycle's own words and numbers only.
constexpr std::array<std::string_view, 26> kOwnWords{
    "kind",        "source",     "id",          "header",         "created",       "tool",         "experiment",
    "experiments", "parameters", "preset",      "status",         "provenance",    "verdict",      "api",
    "type",        "space",      "time_source", "global_atomics", "local_atomics", "kernels_hash", "subgroup_operations",
    "floats",      "integers",   "factors",     "sums",           "made"};

/// Members that name a model or a driver: a host of that name does not hide it.
constexpr std::array<std::string_view, 9> kNameMembers{"name",     "vendor",      "unit_name",    "driver", "platform",
                                                       "identity", "api_version", "architecture", "model"};

template <std::size_t kSize>
bool holds(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// The text with "<name>" in place of `name` as a whole word, in capitals or not.
std::string without_name(std::string text, const std::string& name) {
  constexpr std::string_view kInstead = "<name>";
  auto from = text.begin();
  while (true) {
    const auto found = std::search(from, text.end(), name.begin(), name.end(), same_letter);
    if (found == text.end()) return text;
    const auto end = found + static_cast<std::ptrdiff_t>(name.size());
    const bool is_whole = (found == text.begin() || !is_letter(*(found - 1))) && (end == text.end() || !is_letter(*end));
    const auto at = found - text.begin();
    if (is_whole) text.replace(found, end, kInstead);
    from = text.begin() + at + static_cast<std::ptrdiff_t>(is_whole ? kInstead.size() : 1);
  }
}

/// Names that percycle makes: of simulated devices and of shared cards.
bool is_own_name(const std::string& text) {
  return text.starts_with("sim:") || text.starts_with("model ") || text.starts_with("shared:");
}

/// "Ubuntu 24.04.3 LTS, Linux 6.1.0 x86_64": the kernel's version without what a build adds to it.
std::string shared_system(const std::string& text) {
  static const std::regex kKernel(R"((.*), Linux (\d+(?:\.\d+)*)\S*( [a-z0-9_]{1,12})?(?:\s.*)?)");
  std::smatch match;
  if (!std::regex_match(text, match, kKernel)) return known_part(text);
  return fmt::format("{}, Linux {}{}", known_part(match.str(1)), match.str(2), match.str(3));
}

/// Texts that differ only in numbers are one for a reader.
std::string without_numbers(const std::string& text) {
  static const std::regex kNumber(R"(\d+(\.\d+)?)");
  return std::regex_replace(text, kNumber, "0");
}

}  // namespace

Sharer::Sharer(std::vector<std::string> names) : names_(std::move(names)) { std::erase(names_, std::string()); }

Header Sharer::shared_header(Header header) {
  for (const char* kind : {"uuid:", "pci:"}) {
    if (header.identity.starts_with(kind))
      header.identity = identities_.emplace(header.identity, "shared:" + header.id).first->second;
  }
  DeviceInfo& device = header.device;
  device.uuid.reset();
  device.pci.reset();
  device.driver_manifest.clear();
  for (PeerDevice& peer : device.peers) peer.pci.reset();
  if (!device.model.empty()) device.model = std::filesystem::path(device.model).filename().string();
  return header;
}

std::string Sharer::shared_text(const std::string& text, TextKind kind) {
  const auto [place, is_new] = done_.try_emplace({text, kind});
  if (!is_new) return place->second;
  std::string clean = text;
  if (kind == TextKind::name) {
    clean = is_own_name(text) ? text : plain_name(text);
  } else {
    for (const std::string& name : names_) clean = without_name(clean, name);
    clean = kind == TextKind::system ? shared_system(clean) : known_part(clean);
    if (std::ranges::any_of(clean, [](unsigned char c) { return std::isalpha(c) != 0; })) texts_.insert(without_numbers(clean));
  }
  if (clean != text) ++cut_;
  return place->second = clean;
}

void Sharer::share_texts(nlohmann::json& json, TextKind kind) {
  if (json.is_string()) {
    json = shared_text(json.get_ref<const std::string&>(), kind);
  } else if (json.is_array()) {
    for (nlohmann::json& each : json) share_texts(each, TextKind::free);
  } else if (json.is_object()) {
    for (auto& [name, value] : json.items()) {
      if (holds(kOwnWords, name)) continue;
      share_texts(value, holds(kNameMembers, name) ? TextKind::name : name == "os" ? TextKind::system : TextKind::free);
    }
  }
}

Record Sharer::share(const Record& record) {
  Record shared = record;
  if (auto* header = std::get_if<Header>(&shared)) {
    if (header->published()) {
      published_.insert(header->id);
      return shared;
    }
    shared = shared_header(std::move(*header));
  } else if (const auto* point = std::get_if<PointRecord>(&shared); point && published_.contains(point->header)) {
    return shared;
  }
  nlohmann::json json = to_json(shared);
  share_texts(json, TextKind::free);
  return from_json<Record>(json);
}

bool maps_chip(const Record& record) {
  const auto* point = std::get_if<PointRecord>(&record);
  return point && point->result.point.experiment == experiment::kL2Map;
}

}  // namespace percycle
