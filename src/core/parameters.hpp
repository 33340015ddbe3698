#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace percycle {

/// A parameter of an experiment: a whole number (bytes, counts) or a word.
struct ParameterValue : std::variant<std::int64_t, std::string> {
  template <std::integral Number>
  ParameterValue(Number number) : variant(static_cast<std::int64_t>(number)) {}
  ParameterValue(std::string word) : variant(std::move(word)) {}
  ParameterValue(const char* word) : variant(std::string(word)) {}
  ParameterValue() = default;
};

/// Named parameters in name order, so that equal sets compare and print equal.
using Parameters = std::map<std::string, ParameterValue>;

/// The integer parameter `name`. Throws std::out_of_range if absent, std::bad_variant_access if it
/// is a word.
std::int64_t integer(const Parameters& parameters, const std::string& name);

/// The word parameter `name`. Throws like integer().
const std::string& word(const Parameters& parameters, const std::string& name);

/// The integer parameter `name`; empty if it is absent or a word.
std::optional<std::int64_t> find_integer(const Parameters& parameters, const std::string& name);

/// Like find_integer, with `otherwise` if it is absent.
std::int64_t integer_or(const Parameters& parameters, const std::string& name, std::int64_t otherwise);

/// The word parameter `name`; nullptr if it is absent or an integer.
const std::string* find_word(const Parameters& parameters, const std::string& name);

/// Whether the word parameter `name` is present and equals `value`.
bool has_word(const Parameters& parameters, const std::string& name, std::string_view value);

/// "footprint=1024 path=global": a stable one-line key that matches points on resume and in
/// messages.
std::string to_string(const Parameters& parameters);

/// The plain text of one value.
std::string to_string(const ParameterValue& value);

/// One cell of an experiment's sweep.
struct Point {
  std::string experiment;
  Parameters parameters;

  bool operator==(const Point&) const = default;
};

/// The number `name` of a point, which is not negative. Throws like integer().
template <std::integral Number = std::uint64_t>
Number number(const Point& point, const std::string& name) {
  return static_cast<Number>(integer(point.parameters, name));
}

/// Like number(), with `otherwise` if it is absent.
template <std::integral Number>
Number number_or(const Point& point, const std::string& name, Number otherwise) {
  return static_cast<Number>(find_integer(point.parameters, name).value_or(static_cast<std::int64_t>(otherwise)));
}

/// The word `name` of a point. Throws like integer().
inline const std::string& word(const Point& point, const std::string& name) { return word(point.parameters, name); }

/// For containers of points; equal points have equal hashes.
struct PointHash {
  std::size_t operator()(const Point& point) const;
};

/// "latency footprint=1024 path=global".
std::string to_string(const Point& point);

}  // namespace percycle
