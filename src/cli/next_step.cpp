#include "cli/next_step.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/output.hpp"

namespace percycle {
namespace {

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+:@%=,-";
  if (text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace

std::string file_arguments(const std::vector<std::string>& paths) {
  std::error_code ignored;
  const bool is_one_file = paths.size() == 1 && std::filesystem::is_regular_file(paths.front(), ignored);
  return is_one_file ? shell_word(paths.front()) : "FILE...";
}

void print_next(const std::string& command) { output("next: {}\n", command); }

}  // namespace percycle
