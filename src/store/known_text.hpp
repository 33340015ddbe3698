#pragma once

#include <string>
#include <string_view>

namespace percycle {

/// The text up to its first word that known_words.txt does not have, then " ...": free texts of
/// drivers, compilers and shells hold names, paths, serial numbers and addresses in any form. Also
/// known: numbers of up to six digits with a unit ("2.5ghz"), shapes ("8x8x4"), versions of up to
/// three numbers, and words joined by - _ . / , = or ending in up to three digits ("fp32-fma").
std::string known_part(std::string_view text);

/// The name of a model, driver or system up to its first word that no such name has: a path, a
/// long run of digits or hexadecimal digits, an address. Then " ...".
std::string plain_name(std::string_view text);

/// A word of known_words.txt, in small letters.
bool is_known_word(std::string_view word);

}  // namespace percycle
