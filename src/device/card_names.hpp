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

/// How to call each of the devices, in their order. Its name tells a device unless another card has the same name: then the
/// cards' PCI addresses follow ("NVIDIA H200 06:00.0"), or numbers ("NVIDIA H200 #2") where an address is unknown or the
/// same. All devices of a card with one name are called alike.
std::vector<std::string> card_names(const std::vector<CardKey>& devices);

}  // namespace percycle
