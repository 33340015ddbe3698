#pragma once

#include <string>
#include <string_view>

#include "report/text_table.hpp"

namespace percycle {

/// The text on one line of Markdown (CommonMark and GitHub's tables), with markup escaped.
std::string markdown_text(std::string_view text);

/// The table in GitHub's Markdown, aligned like its columns. The last cell of a row has its remark.
std::string markdown_table(const TextTable& table);

}  // namespace percycle
