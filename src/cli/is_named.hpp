#pragma once

#include <string>

namespace percycle {

/// A check of an option that names a file or folder: why the name is refused, or nothing.
inline std::string is_named(const std::string& name) { return name.empty() ? "the name is empty" : ""; }

}  // namespace percycle
