#include "cli/next_step.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/output.hpp"
#include "report/text_table.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+:@%=,-";
  if (text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

constexpr std::string_view kNext = "next: ";

/// The text, with a line break that shells ignore before the files of a command that is too long.
std::string broken(const std::string& text) {
  constexpr std::string_view kProgram = "percycle ";
  const std::size_t program = text.find(kProgram);
  if (kNext.size() + display_width(text) + 2 <= kTableColumns || program == std::string::npos) return text;
  const std::size_t blank = text.find(' ', program + kProgram.size());
  if (blank == std::string::npos) return text;
  return fmt::format("{} \\\n{:{}}{}", text.substr(0, blank), "", 2 * kNext.size(), text.substr(blank + 1));
}

}  // namespace

std::string file_arguments(const std::vector<std::string>& paths) {
  std::error_code ignored;
  const bool is_one_file = paths.size() == 1 && std::filesystem::is_regular_file(paths.front(), ignored);
  return is_one_file ? shell_word(paths.front()) : "FILE...";
}

std::string next_step_text(const std::string& command, const std::string& aside) {
  const std::string line = fmt::format("{}{}{}", kNext, command, aside.empty() ? "" : fmt::format("   ({})", aside));
  if (display_width(line) <= kTableColumns) return line + '\n';
  const std::string text = fmt::format("{}{}\n", kNext, broken(command));
  return aside.empty() ? text : fmt::format("{}{:{}}({})\n", text, "", kNext.size(), broken(aside));
}

void print_next(const std::string& command, const std::string& aside) { write_output(next_step_text(command, aside)); }

}  // namespace percycle
