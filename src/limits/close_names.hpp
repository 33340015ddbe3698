#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The text with A to Z in lower case.
std::string lower_case(std::string_view text);

/// Up to five of `known` that the writer of `name` may have meant, closest first: those that
/// contain it, and those within a few typing errors (one in three characters), also without leading
/// words. Ignores case.
std::vector<std::string> close_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace percycle
