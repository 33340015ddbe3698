#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The text with the letters A to Z as small ones.
std::string lower_case(std::string_view text);

/// Up to five of `known` that someone who wrote `name` may have meant, closest first: those that hold it, and those of which it is a few
/// slips of a finger away (one in three characters), where leading words may be left out; case counts nowhere. None when none is close.
std::vector<std::string> close_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace percycle
