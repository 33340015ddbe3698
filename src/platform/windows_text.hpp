#pragma once

#include <string>
#include <string_view>

namespace percycle {

/// UTF-8 from and to the UTF-16 of Windows' functions. Damaged text gets replacement characters.
std::wstring wide(std::string_view text);
std::string utf8(std::wstring_view text);

}  // namespace percycle
