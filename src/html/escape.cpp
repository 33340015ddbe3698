#include "html/escape.hpp"

namespace percycle {

std::string script_json(const nlohmann::json& value) {
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    // U+2028 and U+2029 are E2 80 A8 and A9 in UTF-8.
    if (text.compare(i, 2, "\xE2\x80") == 0 && i + 2 < text.size() && (text[i + 2] == '\xA8' || text[i + 2] == '\xA9')) {
      escaped += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (text[i] == '<') {
      escaped += "\\u003c";
    } else if (text[i] == '>') {
      escaped += "\\u003e";
    } else if (text[i] == '&') {
      escaped += "\\u0026";
    } else {
      escaped += text[i];
    }
  }
  return escaped;
}

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace percycle
