#pragma once

#include <span>
#include <string_view>

namespace percycle {

/// The embedded text of a page of docs/ by its file's name; empty if there is none.
std::string_view doc_file(std::string_view file_name);

std::span<const std::string_view> doc_file_names();

}  // namespace percycle
