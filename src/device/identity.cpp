#include "device/identity.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "device/selector.hpp"

namespace percycle {
namespace {

constexpr std::size_t kUuidDigits = 32;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return result;
}

/// The identifying properties of a device, in canonical form.
struct Keys {
  std::optional<std::string> whole;  ///< sufficient alone: the host's CPU, a model
  std::optional<std::string> uuid, pci;

  bool none() const { return !whole && !uuid && !pci; }
};

Keys keys_of(const DeviceInfo& info, std::string_view host_cpu_name) {
  // A model's driver is the hash of its text.
  if (info.api == Api::sim) return {.whole = fmt::format("sim:{}/{}", info.name, info.driver), .uuid = {}, .pci = {}};
  if (info.type == DeviceType::cpu) return {.whole = fmt::format("cpu:{}", host_cpu_name), .uuid = {}, .pci = {}};
  Keys keys;
  if (info.uuid) keys.uuid = canonical_uuid(*info.uuid);
  if (info.pci) keys.pci = canonical_pci(*info.pci);
  return keys;
}

std::string name_key(const DeviceInfo& info) { return fmt::format("name:{}/{}", info.vendor, info.name); }

/// UUIDs that one driver gives to devices at different PCI addresses: they name a model, not a
/// card. (The same UUID at two addresses through two drivers is one card: some OpenCL drivers omit
/// the PCI domain.)
std::set<std::string> ambiguous_uuids(const std::vector<DeviceInfo>& devices, const std::vector<Keys>& keys) {
  std::map<std::string, std::string> address;
  std::set<std::string> ambiguous;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!keys[i].uuid || !keys[i].pci) continue;
    const std::string seen_by = fmt::format("{}/{}/{}", to_string(devices[i].api), devices[i].platform, *keys[i].uuid);
    if (address.try_emplace(seen_by, *keys[i].pci).first->second != *keys[i].pci) ambiguous.insert(*keys[i].uuid);
  }
  return ambiguous;
}

/// PCI addresses at which one driver shows devices of different UUIDs: parts of one card.
std::set<std::string> divided_addresses(const std::vector<DeviceInfo>& devices, const std::vector<Keys>& keys) {
  std::map<std::string, std::string> uuid;
  std::set<std::string> divided;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!keys[i].uuid || !keys[i].pci) continue;
    const std::string seen_by = fmt::format("{}/{}/{}", to_string(devices[i].api), devices[i].platform, *keys[i].pci);
    if (uuid.try_emplace(seen_by, *keys[i].uuid).first->second != *keys[i].uuid) divided.insert(*keys[i].pci);
  }
  return divided;
}

bool lacks_domain(const DeviceInfo& info) {
  return std::ranges::any_of(info.lacks, [](const std::string& lack) { return lack.starts_with(kNoPciDomain); });
}

/// "3b:00.0" of "0000:3b:00.0".
std::string without_domain(const std::string& pci) { return pci.substr(pci.find(':') + 1); }

/// Gives addresses without a domain the one of the vendor's only card at this bus that others show.
/// Such an address is no key if there are several.
void find_domains(const std::vector<DeviceInfo>& devices, std::vector<Keys>& keys) {
  std::map<std::string, std::set<std::string>> at_bus;
  const auto place = [&](std::size_t i) { return fmt::format("{}/{}", devices[i].vendor, without_domain(*keys[i].pci)); };
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (keys[i].pci && !lacks_domain(devices[i])) at_bus[place(i)].insert(*keys[i].pci);
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!keys[i].pci || !lacks_domain(devices[i])) continue;
    const auto cards = at_bus.find(place(i));
    if (cards == at_bus.end()) continue;
    keys[i].pci = cards->second.size() == 1 ? std::optional(*cards->second.begin()) : std::nullopt;
  }
}

/// Names that no driver gives to two devices. A device with a shared name and no other property
/// could be either.
std::set<std::string> unambiguous_names(const std::vector<DeviceInfo>& devices) {
  std::map<std::string, std::map<std::pair<Api, std::string>, int>> count;
  for (const DeviceInfo& info : devices) ++count[name_key(info)][{info.api, info.platform}];
  std::set<std::string> names;
  for (const auto& [name, per_driver] : count) {
    if (std::ranges::all_of(per_driver, [](const auto& entry) { return entry.second == 1; })) names.insert(name);
  }
  return names;
}

/// Disjoint sets of positions; the smallest position names its set.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t find(std::size_t i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }

  /// Joins `i` with every earlier position that has the same key.
  void join(std::size_t i, const std::string& key) {
    const auto [first, second] = std::minmax({find(i), find(first_with_.try_emplace(key, i).first->second)});
    parent_[second] = first;
  }

 private:
  std::vector<std::size_t> parent_;
  std::map<std::string, std::size_t> first_with_;
};

/// The only value of the set; empty if it has none or several.
std::optional<std::string> only(const std::set<std::string>& values) {
  return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

}  // namespace

std::optional<std::string> canonical_uuid(std::string_view text) {
  std::string uuid = lower(text);
  if (uuid.starts_with("gpu-")) uuid.erase(0, 4);
  std::erase(uuid, '-');
  if (uuid.size() != kUuidDigits || !std::all_of(uuid.begin(), uuid.end(), is_hex)) return std::nullopt;
  if (uuid.find_first_not_of('0') == std::string::npos) return std::nullopt;
  return uuid;
}

std::optional<std::string> canonical_pci(std::string_view text) {
  std::string address = lower(text);
  if (std::count(address.begin(), address.end(), ':') == 1) address.insert(0, "0000:");
  constexpr std::string_view kShape = "xxxx:xx:xx.x";
  const auto fits = [](char c, char shape) { return shape == 'x' ? is_hex(c) : c == shape; };
  if (!std::equal(address.begin(), address.end(), kShape.begin(), kShape.end(), fits)) return std::nullopt;
  return address;
}

std::string_view gpu_vendor(const DeviceInfo& info) {
  return info.type == DeviceType::cpu ? std::string_view() : std::string_view(info.vendor);
}

std::string identity(const DeviceInfo& info, std::string_view host_cpu_name) {
  const Keys keys = keys_of(info, host_cpu_name);
  if (keys.whole) return *keys.whole;
  if (keys.uuid) return "uuid:" + *keys.uuid;
  if (keys.pci) return "pci:" + *keys.pci;
  return name_key(info);
}

std::vector<Card> group_by_card(const std::vector<DeviceInfo>& devices, std::string_view host_cpu_name) {
  std::vector<Keys> keys;
  for (const DeviceInfo& info : devices) keys.push_back(keys_of(info, host_cpu_name));
  for (const std::string& uuid : ambiguous_uuids(devices, keys)) {
    for (Keys& key : keys) {
      if (key.uuid == uuid && key.pci) key.uuid.reset();
    }
  }
  find_domains(devices, keys);
  for (const std::string& pci : divided_addresses(devices, keys)) {
    for (Keys& key : keys) {
      if (key.pci == pci && key.uuid) key.pci.reset();
    }
  }
  const std::set<std::string> names = unambiguous_names(devices);

  Groups groups(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (keys[i].whole) groups.join(i, *keys[i].whole);
    if (keys[i].uuid) groups.join(i, "uuid:" + *keys[i].uuid);
    if (keys[i].pci) groups.join(i, "pci:" + *keys[i].pci);
    if (keys[i].none() && names.contains(name_key(devices[i]))) groups.join(i, name_key(devices[i]));
  }

  struct Members {
    Card card;
    std::set<std::string> uuids, pcis;
  };
  std::map<std::size_t, Members> members;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    Members& group = members[groups.find(i)];
    group.card.devices.push_back(devices[i]);
    if (keys[i].uuid) group.uuids.insert("uuid:" + *keys[i].uuid);
    if (keys[i].pci) group.pcis.insert("pci:" + *keys[i].pci);
    if (keys[i].whole) group.card.identity = *keys[i].whole;
    if (keys[i].none()) {
      const std::string name = name_key(devices[i]);
      // Only their position distinguishes identical cards without UUID and PCI address.
      group.card.identity =
          names.contains(name) ? name : fmt::format("{}#{}:{}", name, to_string(devices[i].api), devices[i].index);
    }
  }

  std::vector<Card> cards;
  for (auto& [first, group] : members) {
    if (const auto uuid = only(group.uuids)) {
      group.card.identity = *uuid;
    } else if (!group.pcis.empty()) {
      group.card.identity = *group.pcis.begin();
    }
    cards.push_back(std::move(group.card));
  }
  return cards;
}

const std::string& card_identity(const std::vector<Card>& cards, const DeviceInfo& info) {
  for (const Card& card : cards) {
    for (const DeviceInfo& device : card.devices) {
      if (selector(device) == selector(info)) return card.identity;
    }
  }
  throw std::out_of_range(fmt::format("{} is on no card", selector(info)));
}

std::optional<std::string> card_capability(const std::vector<Card>& cards, const DeviceInfo& info) {
  if (info.compute_capability) return info.compute_capability;
  for (const Card& card : cards) {
    const auto same = [&](const DeviceInfo& device) { return selector(device) == selector(info); };
    if (std::none_of(card.devices.begin(), card.devices.end(), same)) continue;
    for (const DeviceInfo& device : card.devices) {
      if (device.compute_capability) return device.compute_capability;
    }
  }
  return std::nullopt;
}

}  // namespace percycle
