#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The text with A to Z in lower case.
std::string lower_case(std::string_view text);

/// Up to five of `known` that are similar to `name`, closest first: names that contain it, and
/// names within a few typing errors (one in three characters), also without leading words. Ignores
/// case.
std::vector<std::string> close_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace percycle
