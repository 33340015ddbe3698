#pragma once

#include <string>
#include <string_view>

namespace percycle {

/// The bytes as printable text, with padding (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace percycle
