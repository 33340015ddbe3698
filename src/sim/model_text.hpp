#pragma once

#include <span>
#include <string_view>

namespace percycle {

/// The embedded text of a file in src/sim/models/ by its name; empty if there is no file of
/// that name.
std::string_view sim_model_text(std::string_view file_name);

/// The names of those files.
std::span<const std::string_view> sim_model_text_names();

}  // namespace percycle
