#pragma once

#include <optional>
#include <string>
#include <vector>

namespace percycle {

/// A device as far as its name depends on it.
struct CardKey {
  std::string name;
  std::string identity;  ///< of its card
  std::optional<std::string> pci{};
};

/// Names for these devices, in their order: the device's own name. If several cards have it, their
/// PCI addresses follow ("NVIDIA H200 06:00.0"), or numbers ("NVIDIA H200 #2") if an address is
/// unknown or the same. Devices of a card with equal names get the same one.
std::vector<std::string> card_names(const std::vector<CardKey>& devices);

}  // namespace percycle
