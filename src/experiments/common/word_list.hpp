#pragma once

#include <string>
#include <vector>

namespace percycle {

/// The items of a comma-separated list, empty ones included: "a,b" is {"a", "b"}, "" is {""}.
std::vector<std::string> word_list(const std::string& text);

}  // namespace percycle
