#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of a file of a site's pages by its name: "index.html", "compare.js", ...;
/// empty if there is no file of that name.
std::string_view site_file(std::string_view file_name);

}  // namespace percycle
