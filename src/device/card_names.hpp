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

/// The names of the devices, in their order. If another card has the same name, the PCI address
/// follows ("NVIDIA H200 06:00.0"), or a number ("NVIDIA H200 #2") where addresses are unknown or
/// alike. Devices of one card with one name get one name.
std::vector<std::string> card_names(const std::vector<CardKey>& devices);

}  // namespace percycle
