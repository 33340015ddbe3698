#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace percycle {

/// Nothing that is measured is larger: 1e18 ns are 30 years, 1e18 bytes an exabyte.
inline constexpr double kLargestNumber = 1e18;

/// What a member keeps beside its type. The writer and the reader check it, the schema publishes it.
struct Rule {
  std::string_view about{};  ///< for readers of the schema
  std::optional<double> at_least{};
  std::optional<double> above{};
  std::size_t fewest = 0;                      ///< items of a list, members of a map; of a text 1: it is not empty
  std::size_t longest = 0;                     ///< bytes of a text; 0: any
  std::string_view pattern{};                  ///< of a text, see matches()
  std::span<const std::string_view> one_of{};  ///< the only texts
  const Rule* each = nullptr;                  ///< for each item of a list or member of a map
  const Rule* names = nullptr;                 ///< for the names of a map's members

  constexpr Rule with(std::string_view description) const {
    Rule rule = *this;
    rule.about = description;
    return rule;
  }
};

/// Where a value stands in a JSON text: a step on from the place of what holds it, which must outlive this one.
class Place {
 public:
  Place() = default;  ///< the whole text
  Place member(std::string_view name) const { return {this, name, 0}; }
  Place item(std::size_t index) const { return {this, {}, index}; }

  /// Throws std::invalid_argument "measurement.samples[3].ops: WHAT", or "the line: WHAT" for the whole text.
  template <typename... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> what, Arguments&&... arguments) const {
    fail_with(fmt::format(what, std::forward<Arguments>(arguments)...));
  }

 private:
  Place(const Place* holder, std::string_view name, std::size_t index) : holder_(holder), name_(name), index_(index) {}
  std::string path() const;
  [[noreturn]] void fail_with(const std::string& what) const;

  const Place* holder_ = nullptr;
  std::string_view name_;  ///< of a member; null for an item
  std::size_t index_ = 0;
};

/// Whether the text is of the pattern, a regular expression that schemas understand too: "^", then characters and classes as "[a-f0-9_]", each
/// followed by "+", "{N}" or nothing, then "$".
bool matches(std::string_view pattern, std::string_view text);

// Each fails at the place when the value breaks the rule.

void check_number(const Rule& rule, double value, const Place& place);
/// The same of a number with a fraction, which is at most kLargestNumber, below 0 too.
void check_real(const Rule& rule, double value, const Place& place);
void check_text(const Rule& rule, std::string_view text, const Place& place);
/// `of` says what is counted: "items", "members".
void check_size(const Rule& rule, std::size_t size, std::string_view of, const Place& place);

}  // namespace percycle
