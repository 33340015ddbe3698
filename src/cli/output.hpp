#pragma once

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <utility>

// All that commands print goes through here: texts of files and drivers may hold escapes that a terminal obeys.

namespace percycle {

/// stdout could not be written.
struct OutputError : std::system_error {
  using std::system_error::system_error;
  /// Whether nobody reads it any more, as behind `| head`.
  bool is_closed_pipe() const { return code() == std::errc::broken_pipe; }
};

/// Writes printable_lines() of the text to stdout. Throws OutputError.
void write_output(std::string_view text);

/// The same of a format and its arguments.
template <typename... Arguments>
void output(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_output(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Hands to the system what was printed. Throws OutputError.
void flush_output();

/// "percycle: TEXT" as one printable line on stderr. Where that cannot be written there is nobody to tell.
void write_note(std::string_view text);

/// The same of a format and its arguments.
template <typename... Arguments>
void note(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_note(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// The text as one printable line: line ends are blanks. Cut where it is longer than any message.
std::string one_line(std::string_view text);

}  // namespace percycle
