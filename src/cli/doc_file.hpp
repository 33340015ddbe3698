#pragma once

#include <span>
#include <string_view>

namespace percycle {

/// The embedded text of the page of docs/ with this file name; empty if there is no page of that
/// name.
std::string_view doc_file(std::string_view file_name);

std::span<const std::string_view> doc_file_names();

}  // namespace percycle
