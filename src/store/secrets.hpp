#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The text without UUIDs, PCI addresses, serial numbers, absolute paths and the given names (whole
/// words). A word in angle brackets replaces each: "<path>".
std::string without_secrets(std::string_view text, const std::vector<std::string>& names);

}  // namespace percycle
