#include "check_words.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

#include "platform/environment.hpp"
#include "source_folders.hpp"

namespace percycle {
namespace {

std::string one_line(const std::string& text) {
  std::string line;
  for (char c : text) c == '\n' ? line += "\\n" : c == '\\' ? line += "\\\\" : line += c;
  return line;
}

std::string many_lines(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escaped = line[i] == '\\' && ++i < line.size();
    text += escaped && line[i] == 'n' ? '\n' : line[i];
  }
  return text;
}

std::map<std::string, std::string> read_words() {
  std::map<std::string, std::string> words;
  std::ifstream file(tests_folder() / "words.txt");
  for (std::string line; std::getline(file, line);) {
    const auto tab = line.find('\t');
    words[line.substr(0, tab)] = many_lines(line.substr(tab + 1));
  }
  return words;
}

}  // namespace

std::map<std::string, std::string>& golden_words() {
  static std::map<std::string, std::string> words = read_words();
  return words;
}

bool writes_words() { return environment_variable("PERCYCLE_WRITE_WORDS").has_value(); }

void write_words() {
  std::ofstream file(tests_folder() / "words.txt", std::ios::binary);
  for (const auto& [name, text] : golden_words()) file << name << '\t' << one_line(text) << '\n';
}

std::string words_of(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) != std::string::npos) return line;
  }
  return {};
}

std::string masked(std::string text, const std::string& part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += 3) text.replace(at, part.size(), "...");
  return text;
}

void check_words(const char* file, int line, const std::string& name, const std::string& text) {
  auto& words = golden_words();
  const auto entry = words.find(name);
  if (entry != words.end() && entry->second == text) return;
  static std::set<std::string> written;
  if (writes_words() && written.insert(name).second) {
    words = read_words();  // another test may have changed it
    words[name] = text;
    return write_words();
  }
  const std::string message =
      fmt::format("tests/words.txt, {}: {}\npercycle says: {}\nIf percycle is right, run this test with PERCYCLE_WRITE_WORDS=1.",
                  name, entry == words.end() ? "missing" : entry->second, text);
  DOCTEST_ADD_FAIL_CHECK_AT(file, line, message);
}

}  // namespace percycle
