#pragma once

#include <string>
#include <string_view>

namespace percycle {

/// A page of the documentation for a terminal: headings underlined, links and code in
/// a text without their marks. Tables stay in Markdown (doc_tables.hpp draws them).
std::string plain_page(std::string_view markdown);

}  // namespace percycle
