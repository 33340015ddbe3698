#include "cli/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

#include "core/printable.hpp"

namespace percycle {
namespace {

constexpr std::size_t kLongestMessage = 4000;  // bytes; a list of all parameters is shorter

bool stdout_takes_records = false;

[[noreturn]] void fail() { throw OutputError(errno, std::generic_category(), "cannot write the output"); }

void write_to(std::FILE* stream, std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream) != bytes.size()) fail();
}

}  // namespace

void write_output(std::string_view text) { write_to(stdout_takes_records ? stderr : stdout, printable_lines(text)); }

void send_output_to_stderr() { stdout_takes_records = true; }

void write_bytes(std::string_view bytes) { write_to(stdout, bytes); }

void flush_output() {
  if (std::fflush(stdout) != 0) fail();
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return printable(line, kLongestMessage);
}

}  // namespace percycle
