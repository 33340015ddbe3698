#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

/// Draws the tables of a Markdown text as plain text of at most `columns` characters and leaves the
/// rest as it is. If a table's last column has too little room, each row becomes a list.
std::string fit_doc_tables(std::string_view markdown, std::size_t columns);

}  // namespace percycle
