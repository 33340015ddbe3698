#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of a file of a report's page by its name: "report.html", "vega.min.js",
/// "vega.LICENSE", ...; empty if there is no file of that name.
std::string_view page_file(std::string_view file_name);

}  // namespace percycle
