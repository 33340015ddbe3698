#include "html/fill.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "html/page_file.hpp"

namespace percycle {
namespace {

/// Code for a script element, which any "</script" would end.
std::string script_text(std::string_view code) {
  std::string text(code);
  for (std::size_t at = text.find("</script"); at != std::string::npos; at = text.find("</script", at))
    text.replace(at, 2, "<\\/");
  return text;
}

}  // namespace

std::string fill(std::string_view page, const PageValues& values) {
  std::string text;
  for (std::size_t begin = page.find("{{"); begin != std::string_view::npos; begin = page.find("{{")) {
    const std::size_t end = page.find("}}", begin);
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    text += page.substr(0, begin);
    if (const auto value = values.find(name); value != values.end()) {
      text += value->second;
    } else if (const std::string_view file = page_file(name); !file.empty()) {
      text += name.ends_with(".js") ? script_text(file) : std::string(file);
    } else {
      throw std::logic_error(fmt::format("{} is neither a value nor an embedded file of a page", name));
    }
    page.remove_prefix(end + 2);
  }
  return text.append(page);
}

}  // namespace percycle
