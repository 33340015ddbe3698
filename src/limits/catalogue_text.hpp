#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of a data file of src/limits/ by its name; empty if there is no file of that
/// name.
std::string_view catalogue_text(std::string_view file_name);

}  // namespace percycle
