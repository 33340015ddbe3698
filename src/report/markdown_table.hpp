#pragma once

#include <string>
#include <string_view>

#include "report/text_table.hpp"

namespace percycle {

/// The text on one line of Markdown (CommonMark and GitHub's tables), every character as it is: markup in it stays text.
std::string markdown_text(std::string_view text);

/// The table as GitHub's Markdown has tables, aligned as its columns are. A row's remark stands in its last cell.
std::string markdown_table(const TextTable& table);

}  // namespace percycle
