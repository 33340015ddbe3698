#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of a file that a report's page is made of, by its name: "report.html", "vega.min.js", "vega.LICENSE", ...; empty when there is no
/// such file.
std::string_view page_file(std::string_view file_name);

}  // namespace percycle
