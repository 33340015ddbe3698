#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// The name of each header's device, by the header's id: card_names() for measured devices, the own
/// name of others (a document's device is no second card, and a changed model stays one device).
std::map<std::string, std::string> header_names(const std::vector<const Header*>& headers);

}  // namespace percycle
