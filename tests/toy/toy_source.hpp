#pragma once

#include <string_view>

namespace percycle {

/// The text of the toy's kernel file of that name.
std::string_view toy_source(std::string_view file_name);

}  // namespace percycle
