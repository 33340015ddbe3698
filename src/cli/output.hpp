#pragma once

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <utility>

// All output of commands goes through these functions: text from files and drivers may contain
// escape sequences that a terminal obeys.

namespace percycle {

/// Writing to stdout failed.
struct OutputError : std::system_error {
  using std::system_error::system_error;
  /// Whether the reader closed the pipe, as `| head` does.
  bool is_closed_pipe() const { return code() == std::errc::broken_pipe; }
};

/// Writes printable_lines() of the text to stdout. Throws OutputError.
void write_output(std::string_view text);

/// From now on write_output() writes to stderr, since stdout takes records.
void send_output_to_stderr();

/// Writes the bytes to stdout as they are. Throws OutputError.
void write_bytes(std::string_view bytes);

/// Formats the text first.
template <typename... Arguments>
void output(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_output(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Flushes stdout. Throws OutputError.
void flush_output();

/// The text as one printable line: blanks replace line ends, and text of more than 4000 bytes is
/// cut.
std::string one_line(std::string_view text);

}  // namespace percycle
