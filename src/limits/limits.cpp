#include "limits/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "device/card_parts.hpp"
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

void sort_by_quantity(DeviceLimits& found) {
  std::stable_sort(found.limits.begin(), found.limits.end(),
                   [](const Limit& left, const Limit& right) { return left.quantity < right.quantity; });
}

/// The limits of a unit of the architecture, and the user's own.
DeviceLimits limits_of_part(const LimitsCatalogue& catalogue, std::string_view architecture,
                            const std::vector<std::string>& names, std::string_view part) {
  DeviceLimits found;
  found.architecture = architecture;
  take_all(found, catalogue, Provenance::user, names);
  take_all(found, catalogue, Provenance::catalogue, {});
  std::erase_if(found.limits, [](const Limit& limit) {
    const Per per = name_of(limit.quantity).per;
    return limit.provenance == Provenance::catalogue && (per == Per::device_cycle || per == Per::second);
  });
  sort_by_quantity(found);
  found.notes.push_back(fmt::format("{}: percycle leaves out the limits of the whole card", part));
  return found;
}

/// The kind of part of a card that the device is; empty for a whole card. `listed` are the limits
/// of the whole card.
std::string part_of(const DeviceInfo& info, const DeviceLimits& listed) {
  if (std::string named = part_of_card(info); !named.empty()) return named;
  const auto architecture = recognise(info);
  const auto units = unit_count(info, architecture).count;
  const Limit* all = listed.find(Quantity::units);
  // RDNA's WGPs are pairs of CUs, and no RDNA card is split.
  const bool counts_pairs = architecture && architecture->unit_name == "WGP";
  const bool is_part =
      units && all != nullptr && all->provenance == Provenance::catalogue && !counts_pairs && 2 * units->value <= all->value;
  return is_part ? fmt::format("partition ({} of {} units)", units->value, all->value) : "";
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
  sort_by_quantity(found);
  return found;
}

DeviceLimits find_limits(const LimitsCatalogue& catalogue, const DeviceInfo& info) {
  if (info.api == Api::sim) {
    DeviceLimits found;
    take_all(found, catalogue, Provenance::user, {info.name});
    return found;
  }
  return find_device_limits(catalogue, architecture_name(recognise(info)), info);
}

DeviceLimits find_device_limits(const LimitsCatalogue& catalogue, std::string_view architecture, const DeviceInfo& info) {
  if (!layer_of(info).empty()) return {};
  DeviceLimits whole = find_limits(catalogue, architecture, std::vector{info.name});
  const std::string part = part_of(info, whole);
  return part.empty() ? std::move(whole) : limits_of_part(catalogue, architecture, {info.name}, part);
}

DeviceLimits find_limits(const LimitsCatalogue& catalogue, const Card& card) {
  std::vector<std::string> names;
  for (const DeviceInfo& info : card.devices) {
    if (info.api == Api::sim || !layer_of(info).empty()) return {};
    names.push_back(info.name);
  }
  const std::string architecture = architecture_name(recognise(card));
  DeviceLimits whole = find_limits(catalogue, architecture, names);
  for (const DeviceInfo& info : card.devices) {
    if (const std::string named = part_of_card(info); !named.empty())
      return limits_of_part(catalogue, architecture, names, named);
  }
  // One driver alone may count units wrongly.
  std::string part;
  for (const DeviceInfo& info : card.devices) {
    part = part_of(info, whole);
    if (part.empty()) return whole;
  }
  return part.empty() ? whole : limits_of_part(catalogue, architecture, names, part);
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
    if (!entry.device || !std::regex_search(name, *entry.device)) continue;
    DeviceInfo named;
    named.name = name;
    DeviceLimits found = find_device_limits(catalogue, entry.architectures.empty() ? "" : entry.architectures.front(), named);
    if (found.match != Match::unknown) return found;
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
