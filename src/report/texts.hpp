#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace percycle {

/// The text as any document can hold it: UTF-8, what is none and control characters (line ends, marks that turn the direction of writing)
/// as U+FFFD, at most `most` bytes long and ended by an ellipsis where it was cut.
std::string printable(std::string_view text, std::size_t most);

/// The texts of tables, each kept once, since records repeat them point after point. What it gives stays valid as long as it lives.
class Texts {
 public:
  static constexpr std::size_t kLongest = 300;  ///< bytes; more than that is no name and no message

  Texts() = default;
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  /// printable(text, kLongest).
  const std::string* keep(std::string_view text);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> texts_;
};

}  // namespace percycle
