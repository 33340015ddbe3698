#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

/// Lines of "label  text" in plain ASCII, broken at spaces so that no line is longer than 100
/// columns unless a single word is. Drivers put trademarks and control characters into names: a
/// terminal may lack the trademarks, and it obeys control characters.
class LabelledLines {
 public:
  void field(std::size_t indent, std::string_view label, std::string_view text);
  void line(std::string_view text);
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace percycle
