#pragma once

#include <map>
#include <string>
#include <string_view>

namespace percycle {

/// Texts of a page by their names.
using PageValues = std::map<std::string_view, std::string>;

/// The template with each {{name}} replaced by the value or the embedded page file of that name.
/// Throws std::logic_error for a name that is neither.
std::string fill(std::string_view page, const PageValues& values);

}  // namespace percycle
