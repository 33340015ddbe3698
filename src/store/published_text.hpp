#pragma once

#include <span>
#include <string_view>

namespace percycle {

/// The embedded text of a file of results/published/ by its name; empty if there is no file of that
/// name.
std::string_view published_text(std::string_view file_name);

/// The names of these files.
std::span<const std::string_view> published_text_names();

}  // namespace percycle
