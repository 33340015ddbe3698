#pragma once

#include <cstddef>
#include <string_view>

namespace percycle {

/// How an experiment measures, in two sentences; of one that is not known here, one that says so.
std::string_view method_of(std::string_view experiment);

/// Its place in a report; the last of one that is not known here.
std::size_t place_of(std::string_view experiment);

/// Its name for people; of one that is not known here, its name.
std::string_view title_of(std::string_view experiment);

}  // namespace percycle
