#pragma once

#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/outcome.hpp"

/// Compares a text of percycle with its entry in tests/words.txt, where each text stands once.
#define CHECK_WORDS(name, ...) ::percycle::check_words(__FILE__, __LINE__, name, ::percycle::words_of(__VA_ARGS__))

/// The same for the message of an exception of this type.
#define CHECK_THROWS_WORDS(name, type, ...) \
  ::percycle::check_words(__FILE__, __LINE__, name, ::percycle::words_thrown<type>([&] { static_cast<void>(__VA_ARGS__); }))

namespace percycle {

void check_words(const char* file, int line, const std::string& name, const std::string& text);

/// Names and texts of tests/words.txt: a line each, with a tab between; \n stands for a new line
/// and \\ for a backslash.
std::map<std::string, std::string>& golden_words();

/// Whether this run writes tests/words.txt: PERCYCLE_WRITE_WORDS=1.
bool writes_words();

void write_words();

/// A text, also an optional one or one in JSON, or an outcome.
template <class T>
std::string words_of(const T& value) {
  if constexpr (std::is_same_v<T, Outcome>) {
    return std::string(to_string(value.status)) + ": " + value.reason;
  } else if constexpr (requires { value.template get<std::string>(); }) {
    return value.template get<std::string>();
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else {
    return value.value_or("no text");
  }
}

std::string words_of(const std::vector<std::string>& lines);

/// The first line with this part; empty if there is none.
std::string line_with(const std::string& text, const std::string& part);

/// The text with "..." for this part, such as the path of a temporary file.
std::string masked(std::string text, const std::string& part);

template <class Exception, class Function>
std::string words_thrown(const Function& function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace percycle
