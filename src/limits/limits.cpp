#include "limits/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "limits/architecture.hpp"
#include "limits/catalogue_text.hpp"
#include "limits/close_names.hpp"
#include "platform/file.hpp"

namespace percycle {
namespace {

using Match = DeviceLimits::Match;

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_of_architecture(const LimitEntry& entry, std::string_view architecture) {
  return !architecture.empty() && contains(entry.architectures, architecture);
}

/// Whether one of these names is the name of the entry's device.
bool is_of_device(const LimitEntry& entry, std::string_view architecture, const std::vector<std::string>& names) {
  if (!entry.architectures.empty() && !is_of_architecture(entry, architecture)) return false;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return std::regex_search(name, *entry.device); });
}

/// Whether a figure of higher precedence covers `limit`.
bool is_said(const DeviceLimits& found, const Limit& limit) {
  if (limit.texel_bytes.empty()) {
    return std::any_of(found.limits.begin(), found.limits.end(),
                       [&](const Limit& other) { return other.quantity == limit.quantity && other.texel_bytes.empty(); });
  }
  return std::all_of(limit.texel_bytes.begin(), limit.texel_bytes.end(),
                     [&](std::uint32_t size) { return found.find(limit.quantity, size) != nullptr; });
}

void take(DeviceLimits& found, const LimitEntry& entry) {
  bool taken = false;
  for (const Limit& limit : entry.limits) {
    if (is_said(found, limit)) continue;
    found.limits.push_back(limit);
    taken = true;
  }
  if (taken && !entry.note.empty()) found.notes.push_back(entry.note);
}

/// Adds the figures of the entries with one provenance.
void take_all(DeviceLimits& found, const LimitsCatalogue& catalogue, Provenance provenance,
              const std::vector<std::string>& names) {
  const auto is_own = [&](const LimitEntry& entry) { return entry.limits.front().provenance == provenance; };
  const auto device = std::find_if(catalogue.begin(), catalogue.end(), [&](const LimitEntry& entry) {
    return is_own(entry) && entry.device && is_of_device(entry, found.architecture, names);
  });
  if (device != catalogue.end()) {
    if (found.device.empty()) found.device = device->name;
    found.match = Match::device;
    take(found, *device);
  }
  for (const LimitEntry& entry : catalogue) {
    if (!is_own(entry) || entry.device || !is_of_architecture(entry, found.architecture)) continue;
    if (found.match == Match::unknown) found.match = Match::architecture;
    take(found, entry);
  }
}

std::string architecture_name(const std::optional<Architecture>& architecture) { return architecture ? architecture->name : ""; }

}  // namespace

LimitsCatalogue limits_catalogue(const std::optional<std::filesystem::path>& user_file) {
  static const LimitsCatalogue built_in =
      parse_limit_entries(catalogue_text("limits.toml"), "limits.toml", Provenance::catalogue);
  if (!user_file) return built_in;
  LimitsCatalogue all = parse_limit_entries(read_small_file(*user_file), user_file->string(), Provenance::user);
  all.insert(all.end(), built_in.begin(), built_in.end());
  return all;
}

std::span<const Word<Match>> words(Match) {
  static constexpr Word<Match> kWords[]{
      {Match::device, "device"}, {Match::architecture, "architecture"}, {Match::unknown, "unknown"}};
  return kWords;
}

std::string_view to_string(Match match) { return word_of(match); }

const Limit* DeviceLimits::find(Quantity quantity, std::uint32_t texel_bytes) const {
  const auto found = std::find_if(limits.begin(), limits.end(), [&](const Limit& limit) {
    const auto& sizes = limit.texel_bytes;
    return limit.quantity == quantity && (sizes.empty() || std::find(sizes.begin(), sizes.end(), texel_bytes) != sizes.end());
  });
  return found == limits.end() ? nullptr : &*found;
}

DeviceLimits find_limits(const LimitsCatalogue& catalogue, std::string_view architecture, const std::vector<std::string>& names) {
  DeviceLimits found;
  found.architecture = architecture;
  take_all(found, catalogue, Provenance::user, names);
  take_all(found, catalogue, Provenance::catalogue, names);
  std::stable_sort(found.limits.begin(), found.limits.end(),
                   [](const Limit& left, const Limit& right) { return left.quantity < right.quantity; });
  return found;
}

DeviceLimits find_limits(const LimitsCatalogue& catalogue, const DeviceInfo& info) {
  if (info.api == Api::sim) {
    DeviceLimits found;
    take_all(found, catalogue, Provenance::user, {info.name});
    return found;
  }
  return find_limits(catalogue, architecture_name(recognise(info)), {info.name});
}

DeviceLimits find_limits(const LimitsCatalogue& catalogue, const Card& card) {
  std::vector<std::string> names;
  for (const DeviceInfo& info : card.devices) {
    if (info.api == Api::sim) return {};
    names.push_back(info.name);
  }
  return find_limits(catalogue, architecture_name(recognise(card)), names);
}

std::optional<DeviceLimits> find_limits_called(const LimitsCatalogue& catalogue, const std::string& name) {
  for (const LimitEntry& entry : catalogue) {
    if (entry.device && lower_case(entry.name) == lower_case(name)) {
      return find_limits(catalogue, entry.architectures.empty() ? "" : entry.architectures.front(), {entry.name});
    }
    for (const std::string& architecture : entry.architectures) {
      if (!entry.device && lower_case(architecture) == lower_case(name)) return find_limits(catalogue, architecture, {});
    }
  }
  // A part of a name may identify the device without identifying the architecture.
  for (const LimitEntry& entry : catalogue) {
    if (entry.device && std::regex_search(name, *entry.device)) {
      return find_limits(catalogue, entry.architectures.empty() ? "" : entry.architectures.front(), {name});
    }
  }
  // A driver's name, for any vendor.
  for (const char* vendor : {"NVIDIA", "AMD", "Intel", ""}) {
    DeviceInfo info;
    info.vendor = vendor;
    info.name = name;
    DeviceLimits found = find_limits(catalogue, info);
    if (found.match != Match::unknown) return found;
  }
  return std::nullopt;
}

DeviceLimits find_limits_by_name(const LimitsCatalogue& catalogue, const std::string& name) {
  if (name.find_first_not_of(' ') == std::string::npos) {
    throw UsageError(fmt::format("'{}' is neither a device nor an architecture (percycle limits lists all)", name));
  }
  if (auto found = find_limits_called(catalogue, name)) return std::move(*found);
  std::vector<std::string> known;
  for (const LimitEntry& entry : catalogue) {
    if (entry.device) known.push_back(entry.name);
    if (!entry.device) known.insert(known.end(), entry.architectures.begin(), entry.architectures.end());
  }
  const auto close = close_names(name, known);
  throw UsageError(close.empty() ? fmt::format("no limits are known for '{}' (percycle limits lists all)", name)
                                 : fmt::format("no limits are known for '{}'; similar names: {}", name, fmt::join(close, ", ")));
}

}  // namespace percycle
