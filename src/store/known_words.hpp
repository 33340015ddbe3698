#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of known_words.txt: the words of percycle's own texts and of common systems.
std::string_view known_words(std::string_view file_name);

}  // namespace percycle
