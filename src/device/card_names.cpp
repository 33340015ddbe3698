#include "device/card_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "device/identity.hpp"

namespace percycle {
namespace {

/// The cards of one name, in the order in which they appear.
struct Namesakes {
  std::vector<std::string> identities;
  std::map<std::string, std::string> pci;  ///< by identity

  void add(const CardKey& device) {
    if (std::find(identities.begin(), identities.end(), device.identity) == identities.end())
      identities.push_back(device.identity);
    if (!device.pci) return;
    if (const auto address = canonical_pci(*device.pci)) pci.emplace(device.identity, *address);
  }

  /// Whether each card has an address and no two the same.
  bool differ_by_pci() const {
    std::set<std::string> addresses;
    for (const auto& [identity, address] : pci) addresses.insert(address);
    return addresses.size() == identities.size();
  }
};

std::string short_pci(const std::string& address) {
  constexpr std::string_view kDomain = "0000:";
  return address.starts_with(kDomain) ? address.substr(kDomain.size()) : address;
}

}  // namespace

std::vector<std::string> card_names(const std::vector<CardKey>& devices) {
  std::map<std::string, Namesakes> by_name;
  for (const CardKey& device : devices) by_name[device.name].add(device);
  std::vector<std::string> names;
  for (const CardKey& device : devices) {
    const Namesakes& cards = by_name.at(device.name);
    if (cards.identities.size() == 1) {
      names.push_back(device.name);
    } else if (cards.differ_by_pci()) {
      names.push_back(fmt::format("{} {}", device.name, short_pci(cards.pci.at(device.identity))));
    } else {
      const auto place = std::find(cards.identities.begin(), cards.identities.end(), device.identity);
      names.push_back(fmt::format("{} #{}", device.name, place - cards.identities.begin() + 1));
    }
  }
  return names;
}

}  // namespace percycle
