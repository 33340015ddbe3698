#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace percycle {

/// Something that would have a value if all that it is made from were known.
struct NotKnown {
  auto operator<=>(const NotKnown&) const = default;
};

/// A value of a table: none, one that is not known, a number, or a text.
using Cell = std::variant<std::monostate, NotKnown, std::int64_t, double, std::string>;

/// How tables for people print the numbers of a column.
enum class Format {
  plain,     ///< whole numbers and words
  bytes,     ///< "48 KiB"
  quantity,  ///< four significant digits and more
  percent,   ///< two decimals
  rounded,   ///< to a whole number
};

/// As tables for people have it: "" for none, "unknown" for what is not known.
std::string text_of(const Cell& cell, Format format);

/// Every digit of it, for programs; nothing for none and for what is not known.
std::string exact_text_of(const Cell& cell);

/// The same at the end of a text, without memory of its own.
void append_exact_text(std::string& text, const Cell& cell);

/// Of a number.
std::optional<double> number_of(const Cell& cell);

/// At least four significant digits, never an exponent for what a point can take.
std::string format_quantity(double value);

}  // namespace percycle
