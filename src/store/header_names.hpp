#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// How to call the device of each header, by its id: card_names() of measured ones, the name of the
/// others (a document's device is no second card, and a changed model stays one device).
std::map<std::string, std::string> header_names(const std::vector<const Header*>& headers);

}  // namespace percycle
