#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace percycle {

/// No measured number is larger: 1e18 ns are 30 years, 1e18 bytes an exabyte.
inline constexpr double kLargestNumber = 1e18;

/// Which of two values of a column is the better one.
enum class Better : std::uint8_t { unknown, higher, lower };

/// The rule for a member's value besides its type. Writer and reader check it, the schema publishes
/// it, and tables show members that have a title.
struct Rule {
  std::string_view about{};  ///< for readers of the schema
  std::optional<double> at_least{};
  std::optional<double> above{};
  bool unbounded = false;  ///< any number: computed from others, which have bounds
  /// Minimum number of items of a list or members of a map; 1 for a text: it is not empty.
  std::size_t fewest = 0;
  std::size_t longest = 0;                     ///< bytes of a text; 0: unlimited
  std::string_view pattern{};                  ///< for a text, see matches()
  std::span<const std::string_view> one_of{};  ///< the only allowed texts
  const Rule* each = nullptr;                  ///< for each item of a list or member of a map
  const Rule* names = nullptr;                 ///< for the names of a map's members
  /// Significant digits that the writer keeps of a number with a fraction; 0: all.
  int digits = 0;
  std::string_view title{};         ///< of the column or table; empty: no table shows the member
  int decimals = 0;                 ///< of a number with a fraction in a table
  Better better = Better::unknown;  ///< comparisons judge the column if it is known

  constexpr Rule with(std::string_view description) const {
    Rule rule = *this;
    rule.about = description;
    return rule;
  }
  /// The same, shown by tables.
  constexpr Rule shown(std::string_view column, int places = 0, Better which = Better::unknown) const {
    Rule rule = *this;
    rule.title = column;
    rule.decimals = places;
    rule.better = which;
    return rule;
  }
};

inline constexpr Rule kNoRule;
inline constexpr Rule kComputed{.unbounded = true};
/// A computed figure. Six digits: no figure is more accurate, and equal analyses print equal text.
inline constexpr Rule kRounded{.unbounded = true, .digits = 6};

/// The value with as many significant digits as the rule keeps; 0 for an infinite one.
double rounded(const Rule& rule, double value);

/// The place of a value in a JSON text: one step from the place of its container, which must
/// outlive this one.
class Place {
 public:
  Place() = default;  ///< the whole text
  Place member(std::string_view name) const { return {this, name, 0}; }
  Place item(std::size_t index) const { return {this, {}, index}; }

  /// Throws std::invalid_argument "measurement.samples[3].ops: MESSAGE", or "the line: MESSAGE" for
  /// the whole text.
  template <typename... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> message, Arguments&&... arguments) const {
    fail_with(fmt::format(message, std::forward<Arguments>(arguments)...));
  }

 private:
  Place(const Place* holder, std::string_view name, std::size_t index) : holder_(holder), name_(name), index_(index) {}
  std::string path() const;
  [[noreturn]] void fail_with(const std::string& message) const;

  const Place* holder_ = nullptr;
  std::string_view name_;  ///< member name; null for an item
  std::size_t index_ = 0;
};

/// Whether the text matches the pattern, a regular expression that schemas understand too: "^",
/// then characters and classes such as "[a-f0-9_]", each followed by "+", "{N}" or nothing, then
/// "$".
bool matches(std::string_view pattern, std::string_view text);

// Each check fails at the place if the value breaks the rule.

void check_number(const Rule& rule, double value, const Place& place);
/// The same for a number with a fraction, from -kLargestNumber to kLargestNumber.
void check_real(const Rule& rule, double value, const Place& place);
void check_text(const Rule& rule, std::string_view text, const Place& place);
/// `noun` names the counted things: "items", "members".
void check_size(const Rule& rule, std::size_t size, std::string_view noun, const Place& place);

}  // namespace percycle
